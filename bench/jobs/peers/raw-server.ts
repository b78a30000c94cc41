// A server of canned answers over bare sockets, without parsing or routes. It is not a peer: it shows the limit of the
// load generator.
import { createServer } from "node:net";
import { announce } from "../host/peer-process.ts";

const id = "00000000-0000-4000-8000-000000000000-u1";
const accepted = reply({ id, status: "IN_QUEUE" });
const job = reply({ id, input: { text: "x".repeat(189) } });
const finished = reply({ id, status: "COMPLETED", output: { ok: true } });

function reply(body: unknown): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => socket.destroy());
  socket.on("data", (data) => {
    const line = data.toString("latin1", 0, 40);
    if (line.includes("/job-take/")) socket.write(job, "latin1");
    else if (line.includes("/run ")) socket.write(accepted, "latin1");
    else socket.write(finished, "latin1");
  });
});
server.listen(0, "127.0.0.1", () => announce(server.address()));
