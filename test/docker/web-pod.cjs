// Runs inside a Pod of the tests: a page, a file on the volume, a WebSocket that echoes, its ports, and
// what a hostile Pod would try.

const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const { createHash } = require("node:crypto");

const FILE = "/workspace/file";

const server = http.createServer((request, response) => {
  if (request.url === "/file" && request.method === "PUT") {
    request.pipe(fs.createWriteStream(FILE)).on("close", () => response.end());
  } else if (request.url === "/file") {
    response.end(fs.existsSync(FILE) ? fs.readFileSync(FILE) : "none");
  } else if (request.url === "/env") {
    response.end(JSON.stringify(process.env));
  } else if (request.url === "/evil") {
    response.setHeader("Set-Cookie", [
      "freehold_session=evil",
      "a=1; Domain=localhost",
      "mine=1; Path=/",
    ]);
    response.setHeader("Clear-Site-Data", '"cookies"');
    response.end(JSON.stringify(request.headers));
  } else if (request.url === "/slow") {
    response.write("begun");
  } else {
    response.setHeader("content-type", "text/html");
    response.end("<h1>A Pod's own page</h1>");
  }
});

server.on("upgrade", (request, socket) => {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  const agreed = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  socket.write([...agreed, `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
  socket.on("error", () => {});
  // Short text frames only: a client masks them, a server does not.
  socket.on("data", (frame) => {
    if ((frame[0] & 15) !== 1) return socket.end();
    const length = frame[1] & 127;
    const mask = frame.subarray(2, 6);
    const text = frame.subarray(6, 6 + length).map((byte, n) => byte ^ mask[n % 4]);
    socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
  });
});
server.listen(8888);

for (const port of [7000, Number(process.env.RUNPOD_TCP_PORT_70000)]) {
  if (port) net.createServer((socket) => socket.end(`port ${port}`)).listen(port);
}
