// Pods over REST v2: creation, reads, changes, actions and pages, and as REST v1 and GraphQL show them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

async function begin(t: TestContext) {
  const service = await simulatedService(t);
  const ask = asker(service);
  const settings = {
    name: "simulated",
    imageName: "i",
    driver: "simulated",
    env: { A: "1", B: "2" },
  };
  const more = { ports: ["22/tcp", "80/http"], volumeInGb: 0, dockerStartCmd: ["serve"] };
  const { id: templateId } = await ask("POST", "/v1/templates", { ...settings, ...more });
  const create = (body: object, status = 201) =>
    ask("POST", "/v2/pods", { name: "p", templateId, ...body }, status);
  const running = (id: string) =>
    until(async () => {
      const pod = await ask("GET", `/v2/pods/${id}`);
      return pod.status === "RUNNING" ? pod : null;
    });
  return { service, ask, create, running, templateId };
}

const GPU = { id: "NVIDIA A40" };

test("a Pod is created from a template that the body overrides, and becomes RUNNING", async (t) => {
  const { ask, create, running, templateId } = await begin(t);
  const created = await create({ gpu: { ...GPU, count: 2 }, env: { B: "3" }, args: "" });
  const pod = await running(created.id);
  const { id, createdAt, startedAt, ssh, runtime, cost, gpu, ...rest } = pod;
  assert.deepEqual(rest, {
    name: "p",
    status: "RUNNING",
    actions: ["stop", "restart", "terminate"],
    image: "i",
    args: "",
    entrypoint: [],
    cmd: [],
    disk: 50,
    ports: ["22/tcp", "80/http"],
    env: { A: "1", B: "3" },
    registry: null,
    mounts: {},
    cloud: "SECURE",
    dataCenterId: null,
    cudaVersion: null,
    template: null,
    locked: false,
    globalNetworking: { enabled: false },
    simulated: true,
  });
  assert.deepEqual([gpu.id, gpu.count], [GPU.id, 2]);
  assert.ok(cost > 0 && gpu.vcpuCount >= 4 && gpu.memory >= 16);
  assert.equal(ssh.direct.command, `ssh root@${ssh.direct.host} -p ${ssh.direct.port}`);
  const [tcp, http] = runtime.ports;
  assert.deepEqual(tcp, { private: 22, public: ssh.direct.port, type: "tcp", ip: ssh.direct.host });
  assert.deepEqual(http, { private: 80, public: null, type: "http", ip: null });
  assert.equal(runtime.gpus.length, 2);
  const v1 = await ask("GET", `/v1/pods/${id}`);
  assert.deepEqual([v1.desiredStatus, v1.templateId, v1.gpuCount], ["RUNNING", templateId, 2]);
});

test("fields that contradict each other are 400, and a capacity that is not there", async (t) => {
  const { create } = await begin(t);
  const cpu = { id: "cpu3c", vcpuCount: 2 };
  const rows: [body: object, status: number, detail: RegExp][] = [
    [{}, 400, /exactly one of "gpu" and "cpu"/],
    [{ gpu: GPU, cpu }, 400, /exactly one/],
    [{ gpu: { ...GPU, allowedCudaVersions: ["12.4"], minCudaVersion: "12.4" } }, 400, /only one/],
    [{ cpu, mounts: { persistent: { size: 10, path: "/w" } } }, 400, /"mounts.persistent"/],
    [{ cpu: { id: "cpu3c", vcpuCount: 3 } }, 400, /"cpu.vcpuCount"/],
    [{ gpu: { id: "nothing" } }, 400, /"gpu"/],
    [{ gpu: GPU, globalNetworking: true }, 400, /not offered/],
    [{ gpu: GPU, templateId: "nothing" }, 404, /no template/],
    [{ gpu: { ...GPU, count: 1_000 } }, 400, /no instances currently available.*insufficient/],
    [{ gpu: { ...GPU, count: 0 } }, 422, /\$\.gpu\.count/],
    [{ gpu: GPU, templateId: undefined }, 400, /"image" is missing/],
  ];
  for (const [body, status, detail] of rows) {
    assert.match((await create(body, status)).detail, detail);
  }
});

test("an endpoint's template is of the wrong kind", async (t) => {
  const { ask, create } = await begin(t);
  const body = { name: "s", image: "i", serverless: true };
  const { id } = await ask("POST", "/v2/templates", body, 201);
  const { errors } = await create({ gpu: GPU, templateId: id }, 422);
  assert.match(errors[0], /^\$\.templateId: must be a template for Pods/);
});

test("an action is accepted only in the states that list it", async (t) => {
  const { ask, create, running } = await begin(t);
  const { id } = await create({ gpu: GPU });
  await running(id);
  const act = (action: string, status = 200) =>
    ask("POST", `/v2/pods/${id}/action`, { action }, status);
  const refused = await act("start", 409);
  assert.equal(refused.code, "pod_action_refused");
  const stopped = await act("stop");
  assert.deepEqual([stopped.status, stopped.cost, stopped.runtime], ["EXITED", 0, null]);
  assert.deepEqual(stopped.actions, ["start", "terminate"]);
  await act("restart", 409);
  assert.notEqual((await act("start")).status, "EXITED");
  await running(id);
  await act("restart");
  await running(id);
  assert.match((await act("reset", 422)).errors[0], /^\$\.action: /);
  await ask("PATCH", `/v2/pods/${id}`, { locked: true });
  assert.equal((await act("stop", 409)).code, "pod_locked");
  await ask("PATCH", `/v2/pods/${id}`, { locked: false });
  await act("terminate", 204);
  await ask("GET", `/v2/pods/${id}`, undefined, 404);
});

test("a change keeps what it does not name, and a same value restarts nothing", async (t) => {
  const { ask, create, running } = await begin(t);
  const mounts = { persistent: { size: 10, path: "/w" } };
  const { id } = await create({ gpu: GPU, mounts });
  const before = await running(id);
  const path = `/v2/pods/${id}`;
  const { status, disk, env, mounts: same } = before;
  const unchanged = await ask("PATCH", path, { disk, env, mounts: same, name: "q" });
  assert.deepEqual([unchanged.status, unchanged.name, unchanged.env], [status, "q", env]);
  const grown = { persistent: { size: 20, path: "/x" } };
  const changed = await ask("PATCH", path, { image: "j", mounts: grown, ports: [] });
  assert.deepEqual([changed.image, changed.mounts, changed.ports], ["j", grown, []]);
  assert.notEqual(changed.status, "RUNNING");
  for (const [mount, detail] of [
    [{ persistent: { size: 10, path: "/x" } }, /can only grow/],
    [{ network: [] }, /"mounts.network" is empty/],
    [{ network: [{ volumeId: "v", path: "/x" }] }, /created without it/],
  ] as const) {
    assert.match((await ask("PATCH", path, { mounts: mount }, 400)).detail, detail);
  }
  const template = await ask(
    "POST",
    "/v2/templates",
    { name: "u", image: "k", env: { C: "1" } },
    201,
  );
  const merged = await ask("PATCH", path, { templateId: template.id, env: { D: "2" } });
  assert.deepEqual([merged.image, merged.env], ["k", { C: "1", D: "2" }]);
});

test("a Pod that REST v1 made with what REST v2 cannot say keeps it", async (t) => {
  const { ask, running } = await begin(t);
  const body = {
    driver: "simulated",
    imageName: "i",
    gpuTypeIds: ["NVIDIA A40", "NVIDIA L4"],
    interruptible: true,
    stopAfter: "2100-01-01T00:00:00Z",
    volumeInGb: 5,
  };
  const { id } = await ask("POST", "/v1/pods", body, 201);
  const pod = await running(id);
  assert.deepEqual(pod.mounts, { persistent: { size: 5, path: "/workspace" } });
  await ask("PATCH", `/v2/pods/${id}`, { image: "j", name: "renamed" });
  const v1 = await ask("GET", `/v1/pods/${id}`);
  assert.deepEqual(
    [v1.name, v1.imageName, v1.interruptible, v1.volumeInGb, v1.stopAfter],
    ["renamed", "j", true, 5, "2100-01-01T00:00:00.000Z"],
  );
});

test("a walk over Pods returns each once while Pods are made and removed", async (t) => {
  const { ask, create } = await begin(t);
  const existing: string[] = [];
  for (let n = 0; n < 7; n++) {
    existing.push((await create({ cpu: { id: "cpu3c", vcpuCount: 2 } })).id);
  }
  const found: string[] = [];
  let path = "/v2/pods?limit=3";
  for (;;) {
    const { pods, pagination } = await ask("GET", path);
    found.push(...pods.map(({ id }: { id: string }) => id));
    if (!pagination.hasNextPage) break;
    path = `/v2/pods?limit=3&cursor=${pagination.nextCursor}`;
    await create({ cpu: { id: "cpu3c", vcpuCount: 2 } });
    // The Pod at the cursor itself goes.
    await ask("DELETE", `/v2/pods/${found.at(-1)}`, undefined, 204);
  }
  assert.deepEqual(found.toSorted(), existing.toSorted());
  const cursor = path.split("cursor=")[1];
  const { errors } = await ask("GET", `/v2/templates?cursor=${cursor}`, undefined, 422);
  assert.match(errors[0], /^\$\.cursor: /);
});
