// The start beside a container engine that accepts connections and answers nothing: the service is there soon, and says so.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { clientOf, localKey } from "./client.ts";

test("an engine that answers nothing holds up no start, and is the machine's trouble", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-silent-"));
  const dataFolder = path.join(folder, "data");
  const host = path.join(folder, "engine.sock");
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const engine = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("data", (data) => requests.push(String(data)));
  });
  await once(engine.listen(host), "listening");
  const service = new Service({
    dataFolder,
    port: await freePort(),
    flags: ["--drivers", "docker,simulated"],
    env: { FREEHOLD_DOCKER_HOST: `unix://${host}` },
  });
  t.after(async () => {
    await service.kill();
    engine.close();
    for (const socket of sockets) socket.destroy();
    rmSync(folder, { recursive: true });
  });
  assert.ok(await service.ready(), service.stderr);
  assert.ok(requests.some((each) => each.includes("/_ping")));
  assert.ok(!requests.some((each) => /^GET \S*\/info/.test(each)), "a ping was too late");
  assert.match(service.stderr, /the container engine does not answer; the service starts without/);
  const call = clientOf(service, localKey(dataFolder));
  const machine = await until(async () => {
    const { json } = await call("GET", "/v1/machines");
    return json[0].trouble ? json[0] : null;
  });
  assert.match(machine.trouble, /engine at unix:\S+ does not respond: no response in time/);
  const { status } = await call("POST", "/v1/templates", { name: "t", imageName: "a/b:1" });
  assert.equal(status, 200);
});
