// Endpoints over REST v2: creation, changes, releases, workers, and as REST v1 shows them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

async function begin(t: TestContext) {
  const service = await simulatedService(t);
  const ask = asker(service);
  const body = {
    name: "e",
    type: "QUEUE",
    image: "i",
    gpu: { pools: ["AMPERE_48"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 2.5 },
    workers: { max: 0 },
  };
  const create = (more: object = {}, status = 201) =>
    ask("POST", "/v2/serverless", { ...body, ...more }, status);
  return { service, ask, create };
}

test("an endpoint has the defaults of REST v2, and REST v1 shows the same", async (t) => {
  const { service, ask, create } = await begin(t);
  const endpoint = await create();
  const { id, createdAt, requestUrls, ...rest } = endpoint;
  assert.deepEqual(rest, {
    name: "e",
    type: "QUEUE",
    image: "i",
    args: "",
    entrypoint: [],
    cmd: [],
    disk: 50,
    ports: [],
    env: {},
    registry: null,
    gpu: {
      pools: ["AMPERE_48"],
      excludedTypes: [],
      count: 1,
      allowedCudaVersions: [],
      minCudaVersion: null,
    },
    workers: { min: 0, max: 0, idleTimeout: 10 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 2.5 },
    timeout: 300_000,
    flashboot: "OFF",
    dataCenterIds: [],
    networkVolumes: [],
  });
  assert.equal(requestUrls.run, `${service.origin}/v2/${id}/run`);
  assert.equal(requestUrls.status, `${service.origin}/v2/${id}/status/{job_id}`);
  assert.deepEqual(await ask("GET", `/v2/serverless/${id}`), endpoint);
  const v1 = await ask("GET", `/v1/endpoints/${id}?includeTemplate=true`);
  assert.deepEqual(
    [v1.name, v1.gpuIds, v1.executionTimeoutMs, v1.scalerValue, v1.template.imageName],
    ["e", "AMPERE_48", 300_000, 3, "i"],
  );
  const { endpoints } = await ask("GET", "/v2/serverless");
  assert.deepEqual(endpoints, [endpoint]);
  const job = await ask("POST", `/v2/${id}/run`, { input: {} });
  assert.equal(job.status, "IN_QUEUE");
});

test("types of a pool are excluded, and pools are changed with their exclusions", async (t) => {
  const { ask, create } = await begin(t);
  const gpu = { pools: ["AMPERE_48"], excludedTypes: [" NVIDIA A40 "], count: 2 };
  const { id, gpu: shown } = await create({ gpu });
  assert.deepEqual([shown.excludedTypes, shown.count], [["NVIDIA A40"], 2]);
  const path = `/v2/serverless/${id}`;
  const partial = await ask("PATCH", path, { gpu: { minCudaVersion: "12.4" } });
  assert.deepEqual(
    [partial.gpu.excludedTypes, partial.gpu.minCudaVersion],
    [["NVIDIA A40"], "12.4"],
  );
  const replaced = await ask("PATCH", path, { gpu: { pools: ["AMPERE_48"], minCudaVersion: "" } });
  assert.deepEqual([replaced.gpu.excludedTypes, replaced.gpu.minCudaVersion], [[], null]);
  const { errors } = await ask("PATCH", path, { gpu: { excludedTypes: ["NVIDIA A40"] } }, 422);
  assert.match(errors[0], /^\$\.gpu\.excludedTypes: /);
  await ask("PATCH", path, { cpu: [{ id: "cpu3c", vcpuCount: 2 }] }, 400);
});

test("what contradicts itself or is not offered is refused", async (t) => {
  const { create } = await begin(t);
  const cpu = [{ id: "cpu3c", vcpuCount: 2 }];
  const byCount = { type: "REQUEST_COUNT", requestCount: 1 };
  const rows: [body: object, status: number, complaint: RegExp][] = [
    [{ cpu }, 400, /exactly one of "gpu" and "cpu"/],
    [{ type: "LOAD_BALANCER" }, 422, /REQUEST_COUNT.* for a load-balancing endpoint/],
    [{ flashboot: "PRIORITY_FLASHBOOT" }, 400, /not offered/],
    [{ image: undefined }, 400, /"image" is missing/],
    [{ templateId: "nothing" }, 404, /no template/],
    [{ gpu: { pools: ["NOTHING"] } }, 400, /"gpu"/],
    [{ gpu: { pools: ["AMPERE_48"], excludedTypes: ["x"] } }, 400, /none of these pools/],
    [{ scaling: byCount, workers: { idleTimeout: 5 } }, 422, /\$\.workers\.idleTimeout/],
    [{ scaling: { type: "QUEUE_DELAY", queueDelay: 0.1 } }, 422, /\$\.scaling\.queueDelay/],
    [{ scaling: { type: "REQUEST_COUNT", queueDelay: 1 } }, 422, /\$\.scaling\.queueDelay/],
    [{ scaling: { type: "OTHER" } }, 422, /\$\.scaling\.type/],
    [{ workersMax: 1 }, 422, /REST v2 names it "workers.max"/],
  ];
  for (const [body, status, complaint] of rows) {
    assert.match((await create(body, status)).detail, complaint);
  }
});

test("a change of the container is a release that leaves other endpoints alone", async (t) => {
  const { ask, create } = await begin(t);
  const settings = { name: "shared", imageName: "i", isServerless: true, env: { A: "1" } };
  const template = await ask("POST", "/v1/templates", settings);
  const v1Body = { templateId: template.id, workersMax: 0 };
  const first = await ask("POST", "/v1/endpoints", v1Body);
  const second = await ask("POST", "/v1/endpoints", v1Body);
  const path = `/v2/serverless/${first.id}`;
  const changed = await ask("PATCH", path, { image: "j" });
  assert.deepEqual([changed.image, changed.env], ["j", { A: "1" }]);
  assert.equal((await ask("GET", `/v2/serverless/${second.id}`)).image, "i");
  assert.equal((await ask("GET", `/v1/templates/${template.id}`)).imageName, "i");
  await ask("PATCH", path, { image: "k" });
  const { releases, endpointVersion, rollout } = await ask("GET", `${path}/releases`);
  assert.equal(endpointVersion, 3);
  assert.deepEqual(
    releases.map(({ version, diff }: { version: number; diff: object }) => [version, diff]),
    [
      [3, [{ field: "template.imageName", old: "j", new: "k" }]],
      [2, [{ field: "template.imageName", old: "i", new: "j" }]],
      [1, []],
    ],
  );
  assert.deepEqual(rollout, {
    inProgress: false,
    workersOnLatest: 0,
    workersTotal: 0,
    percentOnLatest: 100,
  });
  const page = await ask("GET", `${path}/releases?limit=2`);
  const { nextCursor } = page.pagination;
  const rest = await ask("GET", `${path}/releases?limit=2&cursor=${nextCursor}`);
  assert.deepEqual([rest.releases[0].version, rest.pagination.hasNextPage], [1, false]);
  const other = await create({ templateId: template.id, image: "l" });
  assert.deepEqual([other.image, other.env], ["l", { A: "1" }]);
  await ask("PATCH", `/v1/templates/${template.id}`, { env: { A: "2" } });
  assert.deepEqual((await ask("GET", `/v2/serverless/${other.id}`)).env, { A: "1" });
});

test("an endpoint's own template is deleted with it, and a shared one is not", async (t) => {
  const { ask, create } = await begin(t);
  const { id } = await create();
  const { templateId } = await ask("GET", `/v1/endpoints/${id}`);
  await ask("DELETE", `/v2/serverless/${id}`, undefined, 204);
  await ask("GET", `/v2/serverless/${id}`, undefined, 404);
  await ask("GET", `/v1/templates/${templateId}`, undefined, 404);
  const body = { name: "shared", imageName: "i", isServerless: true };
  const shared = await ask("POST", "/v1/templates", body);
  const other = await ask("POST", "/v1/endpoints", { templateId: shared.id, workersMax: 0 });
  await ask("DELETE", `/v2/serverless/${other.id}`, undefined, 204);
  await ask("GET", `/v1/templates/${shared.id}`);
});

test("workers, their summary and builds are listed", async (t) => {
  const { service, ask, create } = await begin(t);
  const { id } = await create({ workers: { max: 1, idleTimeout: 3_600 } });
  const worker = await service.makeWorker(id);
  const path = `/v2/serverless/${id}`;
  const { workers, summary, endpointVersion } = await ask("GET", `${path}/workers`);
  assert.deepEqual([workers.length, workers[0].id, endpointVersion], [1, worker.id, 1]);
  assert.deepEqual([workers[0].isStale, workers[0].image], [false, "i"]);
  const { total, ...counts } = summary;
  const sum = Object.values(counts as Record<string, number>).reduce((a, b) => a + b);
  assert.deepEqual([total, sum], [1, 1]);
  const pagination = { nextCursor: null, hasNextPage: false };
  assert.deepEqual(await ask("GET", `${path}/builds`), { builds: [], pagination });
  await ask("GET", `${path}/builds?limit=101`, undefined, 422);
  await ask("GET", `${path}/builds?cursor=x`, undefined, 422);
  await ask("GET", `${path}/builds/x`, undefined, 404);
  const other = await create({ name: "other" });
  await ask("GET", `/v2/serverless/${other.id}/workers/${worker.id}/logs`, undefined, 404);
});
