// What goes wrong around Pods in containers: the engine is restarted, the server is killed between deciding and
// doing, and a pull never ends.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { clear } from "../../src/drivers/docker/docker-bench.testing.ts";
import {
  docker,
  ensureShellImage,
  missing,
  OwnEngine,
  sharedEngine,
} from "../../src/drivers/docker/engine.testing.ts";
import { podIdsOn } from "../../src/store/pod/row.ts";
import { freePort } from "../free-port.ts";
import { podsOf, until } from "../pods/stage.ts";
import { Service } from "../service.ts";
import { startContainerHouse } from "./container-house.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 200 } };
const body = {
  computeType: "CPU",
  dockerEntrypoint: ["bash", "-c"],
  dockerStartCmd: ["ls /workspace; echo kept > /workspace/file; sleep 1000"],
  ports: [],
  volumeInGb: 1,
  containerDiskInGb: 1,
};
const ownEngine = missing || (process.getuid?.() !== 0 && "only root can start an engine");

test("an engine that is restarted under a running service: Pods are back once each", {
  skip: ownEngine,
}, async (t) => {
  const engine = new OwnEngine();
  await engine.start();
  const house = await startContainerHouse(t, { ...options, host: engine.host });
  t.after(() => engine.dispose());
  const pods = podsOf(house);
  const rent = async () =>
    (await house.call("POST", "/v1/pods", { ...body, imageName: house.shellImage })).json;
  const [stays, goes] = [await rent(), await rent()];
  for (const { id } of [stays, goes]) await until(pods.reached, id);

  await engine.stop();
  assert.equal((await house.call("DELETE", `/v1/pods/${goes.id}`)).status, 204);
  const comes = await rent();
  assert.equal(comes.desiredStatus, "RUNNING");
  await engine.start();
  for (const { id } of [stays, comes]) await until(pods.reached, id);
  await until(async () => house.containers().length === 2 || null, "");
  const log = await until(async (id) => {
    const { status, json } = await house.call("GET", `/v1/pods/${id}/logs`);
    return status === 200 && json.some(({ text }: { text: string }) => text === "file");
  }, stays.id);
  assert.ok(log, "its volume is still there");
  const volumes = () => house.docker("volume", "ls", "--quiet").split("\n");
  await until(async (id) => !volumes().some((name) => name.includes(id)) || null, goes.id);
});

test("a server killed between deciding and doing: the next one starts each Pod once", {
  skip: missing,
}, async (t) => {
  const host = await sharedEngine();
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-killed-"));
  const key = "fh_the-key-of-this-test";
  const env = { FREEHOLD_DOCKER_HOST: host, FREEHOLD_API_KEY: key, ...options.env };
  const flags = ["--drivers", "docker"];
  const begin = async () => {
    const service = new Service({ dataFolder, port: await freePort(), flags, env });
    t.after(() => service.kill());
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const imageName = ensureShellImage(host);
  const call = async (service: Service, method: string, address: string, sent?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const text = sent === undefined ? {} : { body: JSON.stringify(sent) };
    return (await fetch(service.origin + address, { method, headers, ...text })).json();
  };
  const first = await begin();
  const [own] = (await call(first, "GET", "/v1/machines")) as { id: string }[];
  const installation = own!.id;
  const mine = ["--filter", `label=freehold.installation=${installation}`];
  t.after(() => {
    clear((...args) => docker(host, ...args), installation);
    rmSync(dataFolder, { recursive: true });
  });
  const made = await Promise.all(
    [1, 2, 3].map(() => call(first, "POST", "/v1/pods", { ...body, imageName })),
  );
  await first.kill();
  const second = await begin();
  for (const { id } of made as { id: string }[]) {
    await until(async () => {
      const pod = (await call(second, "GET", `/v1/pods/${id}`)) as { publicIp: string | null };
      return pod.publicIp;
    }, id);
  }
  const containers = docker(host, "ps", "--all", "--quiet", ...mine).split("\n");
  assert.equal(containers.length, 3);
  for (const { id } of made as { id: string }[]) {
    const headers = { authorization: `Bearer ${key}` };
    await fetch(`${second.origin}/v1/pods/${id}`, { method: "DELETE", headers });
  }
  await until(async () => docker(host, "ps", "--all", "--quiet", ...mine) === "" || null, "");
  await second.end();
});

test("a stop does not wait for an image that never comes", {
  skip: missing,
}, async (t) => {
  let asked = false;
  // A registry that is there, and never gives an image away.
  const registry = createServer((request, response) => {
    if (request.url === "/v2/") return response.end("{}");
    asked = true;
    return response;
  });
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  t.after(() => registry.close().closeAllConnections());
  const { port } = registry.address() as { port: number };
  const house = await startContainerHouse(t, options);
  const imageName = `127.0.0.1:${port}/slow:1`;
  const { id } = (await house.call("POST", "/v1/pods", { ...body, imageName })).json;
  await until(async () => asked || null, "");
  assert.equal((await house.call("POST", `/v1/pods/${id}/stop`)).json.desiredStatus, "EXITED");
  assert.equal((await house.call("DELETE", `/v1/pods/${id}`)).status, 204);
  const { store, replica } = house.house;
  await until(async () => !(await store.read(podIdsOn, replica.machine)).includes(id) || null, id);
});
