// Tests of failures around Pods in containers: the engine restarts, the server is killed between the
// commit and the start, and a pull never ends.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { podIdsOn } from "../../src/store/pod/row.ts";
import { removeMachine } from "../fixtures/docker/docker-driver-harness.ts";
import {
  docker,
  ensureShellImage,
  sharedEngine,
  skipReason,
  TestEngine,
} from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

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
const ownEngine = skipReason || (process.getuid?.() !== 0 && "only root can start an engine");

test("after a restart of the engine each Pod runs once", {
  skip: ownEngine,
}, async (t) => {
  const engine = new TestEngine();
  await engine.start();
  const testService = await startContainerService(t, { ...options, host: engine.host });
  t.after(() => engine.dispose());
  const pods = podsOf(testService);
  const rent = async () =>
    (await testService.call("POST", "/v1/pods", { ...body, imageName: testService.shellImage }))
      .json;
  const [stays, goes] = [await rent(), await rent()];
  for (const { id } of [stays, goes]) await until(pods.reached, id);

  await engine.stop();
  assert.equal((await testService.call("DELETE", `/v1/pods/${goes.id}`)).status, 204);
  const comes = await rent();
  assert.equal(comes.desiredStatus, "RUNNING");
  await engine.start();
  for (const { id } of [stays, comes]) await until(pods.reached, id);
  await until(async () => testService.containers().length === 2 || null, "");
  const log = await until(async (id) => {
    const { status, json } = await testService.call("GET", `/v1/pods/${id}/logs`);
    return status === 200 && json.some(({ text }: { text: string }) => text === "file");
  }, stays.id);
  assert.ok(log, "its volume is still there");
  const volumes = () => testService.docker("volume", "ls", "--quiet").split("\n");
  await until(async (id) => !volumes().some((name) => name.includes(id)) || null, goes.id);
});

test("after a kill between the commit and the start each Pod is started once", {
  skip: skipReason,
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
  const machine = own!.id;
  const mine = ["--filter", `label=freehold.machine=${machine}`];
  t.after(() => {
    removeMachine((...args) => docker(host, ...args), machine);
    rmSync(dataFolder, { recursive: true });
  });
  const pods = await Promise.all(
    [1, 2, 3].map(() => call(first, "POST", "/v1/pods", { ...body, imageName })),
  );
  await first.kill();
  const second = await begin();
  for (const { id } of pods as { id: string }[]) {
    await until(async () => {
      const pod = (await call(second, "GET", `/v1/pods/${id}`)) as { publicIp: string | null };
      return pod.publicIp;
    }, id);
  }
  const containers = docker(host, "ps", "--all", "--quiet", ...mine).split("\n");
  assert.equal(containers.length, 3);
  for (const { id } of pods as { id: string }[]) {
    const headers = { authorization: `Bearer ${key}` };
    await fetch(`${second.origin}/v1/pods/${id}`, { method: "DELETE", headers });
  }
  await until(async () => docker(host, "ps", "--all", "--quiet", ...mine) === "" || null, "");
  await second.end();
});

test("a stop does not wait for a pull that never ends", {
  skip: skipReason,
}, async (t) => {
  let hasPullBegun = false;
  // A registry that answers, and never sends an image.
  const registry = createServer((request, response) => {
    if (request.url === "/v2/") return response.end("{}");
    hasPullBegun = true;
    return response;
  });
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  t.after(() => registry.close().closeAllConnections());
  const { port } = registry.address() as { port: number };
  const testService = await startContainerService(t, options);
  const imageName = `127.0.0.1:${port}/slow:1`;
  const { id } = (await testService.call("POST", "/v1/pods", { ...body, imageName })).json;
  await until(async () => hasPullBegun || null, "");
  assert.equal(
    (await testService.call("POST", `/v1/pods/${id}/stop`)).json.desiredStatus,
    "EXITED",
  );
  assert.equal((await testService.call("DELETE", `/v1/pods/${id}`)).status, 204);
  const { store, replica } = testService.service;
  await until(async () => !(await store.read(podIdsOn, replica.machine)).includes(id) || null, id);
});
