// A worker that answers each request with a first event at once, and a second one 20 ms later.

import { createServer } from "node:http";

const server = createServer((request, response) => {
  if (request.url === "/ping") return response.end("ok");
  // nginx would keep the events until the end.
  response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  response.write("data: first\n\n");
  setTimeout(() => response.end("data: second\n\n"), 20);
});
server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
