import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { VirtualClock } from "../../../base/clock.ts";
import { MINUTE_MS } from "../../../base/units.ts";
import { PlainConnections } from "./plain-connections.ts";

async function accepting(t: TestContext) {
  const handedOver: Socket[] = [];
  let text = "";
  const clock = new VirtualClock();
  const connections = new PlainConnections({
    clock,
    keepAliveS: 60,
    isClosing: () => false,
    handOver(socket) {
      handedOver.push(socket);
      socket.on("data", (piece) => {
        text += piece;
      });
    },
    handle({ url }, respond) {
      if (url === "/throws") throw new Error("a fault of the handler");
      const response = respond();
      response.writeHead(204, undefined, []);
      response.end();
      return true;
    },
  });
  const server = createServer((socket) => connections.accept(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  t.after(() => {
    client.destroy();
    for (const socket of handedOver) socket.destroy();
    server.close();
  });
  const [accepted] = (await once(server, "connection")) as [Socket];
  /** Sends something and waits until it has been read. */
  const send = async (text: string) => {
    const wanted = accepted.bytesRead + text.length;
    client.write(text);
    while (accepted.bytesRead < wanted) await new Promise(setImmediate);
  };
  return { clock, client, send, handedOver, text: () => text };
}

const HEAD = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n";

test("a body may come in packets of its own", async (t) => {
  const { clock, client, send, handedOver } = await accepting(t);
  for (const piece of [HEAD, "bo", "dy"]) await send(piece);
  const [answer] = await once(client, "data");
  assert.match(String(answer), /^HTTP\/1\.1 204 /);
  await clock.advance(1_000);
  assert.equal(handedOver.length, 0);
});

test("a connection whose body is late is handed over with what has come", async (t) => {
  const { clock, send, handedOver, text } = await accepting(t);
  for (const piece of [HEAD, "bo"]) await send(piece);
  await clock.advance(1_000);
  assert.equal(handedOver.length, 1);
  await send("dy");
  assert.equal(text(), `${HEAD}body`);
});

test("a connection that sends nothing is handed over", async (t) => {
  const { clock, handedOver } = await accepting(t);
  await clock.advance(MINUTE_MS);
  assert.equal(handedOver.length, 1);
});

test("a connection is closed when it has been idle for longer than announced", async (t) => {
  const { clock, client, handedOver } = await accepting(t);
  client.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  const [answer] = await once(client, "data");
  assert.match(String(answer), /^HTTP\/1\.1 204 No Content\r\n.*Keep-Alive: timeout=60\r\n/s);
  await clock.advance(MINUTE_MS);
  assert.equal(client.destroyed, false);
  const closed = once(client.resume(), "close");
  await clock.advance(MINUTE_MS);
  await closed;
  assert.equal(handedOver.length, 0);
});

test("a handler that throws answers 500 and closes its connection", async (t) => {
  const { client } = await accepting(t);
  client.write("GET /throws HTTP/1.1\r\nHost: h\r\n\r\n");
  const text = await new Promise<string>((resolve) => {
    let received = "";
    client.on("data", (piece) => {
      received += piece;
    });
    client.on("end", () => resolve(received));
  });
  assert.match(text, /^HTTP\/1\.1 500 .*"code":"internal"/s);
});
