// Downloads of models through a proxy.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { startModelHub } from "../../../test/fixtures/model-hub.ts";
import { systemClock } from "../../base/clock.ts";
import { hubSource } from "../../drivers/models/hub.ts";
import { proxyFetch } from "./model-cache.ts";

async function startProxy(t: TestContext) {
  const targets: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, client) => {
    targets.push(request.url!);
    const [host, port] = request.url!.split(":");
    const server = connect(Number(port), host!, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(server).pipe(client);
    });
    server.on("error", () => client.destroy());
    client.on("error", () => server.destroy());
  });
  proxy.on("request", (request, response) => {
    targets.push(new URL(request.url!).host);
    const options = { method: request.method, headers: request.headers as Record<string, string> };
    fetch(request.url!, options).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => proxy.closeAllConnections());
  t.after(() => proxy.close());
  return { targets, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

test("a hub is asked through the proxy of the environment, unless NO_PROXY names it", async (t) => {
  const hub = await startModelHub(t, { "o/n": { files: { "config.json": "{}" } } });
  const { targets, url } = await startProxy(t);
  const model = { owner: "o", name: "n" };
  const access = { token: null, signal: new AbortController().signal };
  const find = async (environment: Record<string, string>) => {
    const source = hubSource(hub.origin, systemClock, await proxyFetch(environment));
    assert.equal((await source.find(model, "main", access)).files.length, 1);
  };
  await find({});
  await find({ HTTP_PROXY: url, NO_PROXY: "localhost,127.0.0.1" });
  assert.deepEqual(targets, []);
  await find({ http_proxy: url });
  assert.ok(targets.length > 0);
  assert.ok(targets.every((target) => target === new URL(hub.origin).host));
});
