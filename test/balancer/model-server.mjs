// A worker of a load-balancing endpoint: a small HTTP server like a model server. It streams chat
// completions, echoes requests and upgrades, and reports its health as its settings say.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const { PORT, PORT_HEALTH, RUNPOD_POD_ID: id, STARTUP_MS = "0", WRONG_PATH } = process.env;
const readyAt = Date.now() + Number(STARTUP_MS);
let healthStatus = 200;
let drops = 0;
/** Ends the pause of a paced stream. */
let goOn = () => {};

const routes = {
  "/ping": (_request, response) => {
    response.statusCode = WRONG_PATH ? 404 : Date.now() < readyAt ? 204 : healthStatus;
    response.end();
  },
  "/health-status": async (request, response) => {
    healthStatus = Number(await textOf(request));
    response.end("ok");
  },
  "/v1/chat/completions": chat,
  "/next": (_request, response) => {
    goOn();
    response.end("ok");
  },
  "/echo": echo,
  "/pid": (_request, response) => response.end(String(process.pid)),
  "/slow": (request, response) => {
    request.on("close", () => drops++);
    response.write("begun");
  },
  "/drops": (_request, response) => response.end(String(drops)),
  "/hang-up": (request) => request.socket.destroy(),
  "/lie": (request) => {
    request.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
  },
  "/two-statuses": (request) => {
    const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    request.socket.end(one + one.replace("ok", "no"));
  },
};

const server = createServer((request, response) => {
  const route = routes[new URL(request.url, "http://worker").pathname] ?? echo;
  route(request, response);
});

const sockets = new WebSocketServer({ server });
sockets.on("headers", (headers, { url }) => headers.push(`X-Url: ${url}`));
sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));

async function chat(request, response) {
  const { stream, paced, messages } = JSON.parse(await textOf(request));
  const words = messages.at(-1).content.split(" ");
  if (!stream) {
    const choices = [{ index: 0, message: { role: "assistant", content: words.join(" ") } }];
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ id, object: "chat.completion", choices }));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const word of words) {
    const choices = [{ index: 0, delta: { content: `${word} ` } }];
    const chunk = { id, object: "chat.completion.chunk", choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await new Promise((resolve) => {
      goOn = resolve;
      if (!paced) setTimeout(resolve, 20);
    });
  }
  response.end("data: [DONE]\n\n");
}

async function echo(request, response) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of request) {
    hash.update(piece);
    bytes += piece.length;
  }
  const { method, url, rawHeaders } = request;
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ id, method, url, headers: rawHeaders, bytes, sha256: hash.digest("hex") }),
  );
}

async function textOf(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

const host = process.env.HOST_ADDRESS ?? "127.0.0.1";
server.listen(Number(PORT), host);
if (PORT_HEALTH !== PORT) createServer((q, a) => routes["/ping"](q, a)).listen(PORT_HEALTH, host);
process.on("SIGUSR2", () => {
  if (!server.listening) return server.listen(Number(PORT), host);
  server.close();
  server.closeAllConnections();
});
process.on("SIGTERM", () => process.exit(0));
