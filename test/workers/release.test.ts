// Tests of a release on a running endpoint: idle workers are replaced, busy ones finish their job
// first, and a version that cannot start causes no outage.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const protocol = { endingHoldMs: 20, endGraceMs: 200, pingIntervalMs: 1_000 };

interface WorkerView {
  id: string;
  version: number;
}

async function served(t: TestContext, jobMs: number) {
  const service = await startService(t, { protocol });
  const template = await service.call("POST", "/v1/templates", {
    name: "released",
    imageName: "simulated",
    isServerless: true,
    volumeInGb: 0,
    driver: "simulated",
    dockerStartCmd: ["simulate", "--echo", "--job-ms", String(jobMs)],
  });
  assert.equal(template.status, 200, template.text);
  const endpoint = await service.call("POST", "/v1/endpoints", {
    name: "released",
    templateId: template.json.id,
    workersMin: 1,
    workersMax: 1,
  });
  assert.equal(endpoint.status, 200, endpoint.text);
  return { service, template: template.json.id as string, endpoint: endpoint.json.id as string };
}

async function release(service: TestService, template: string, command: string[]): Promise<void> {
  const changed = await service.call("PATCH", `/v1/templates/${template}`, {
    dockerStartCmd: ["simulate", ...command],
  });
  assert.equal(changed.status, 200, changed.text);
}

async function workersOf(service: TestService, endpoint: string): Promise<WorkerView[]> {
  return service.service.store.read(function* () {
    return (yield {
      sql: "select id, version from worker where endpoint_id = ? and observed = 'running'",
      params: [endpoint],
      rows: true,
    }) as WorkerView[];
  });
}

test("an idle worker is replaced by one of the new version", async (t) => {
  const { service, template, endpoint } = await served(t, 0);
  const first = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  await release(service, template, ["--echo", "--job-ms", "1"]);
  assert.equal((await service.call("GET", `/v1/endpoints/${endpoint}`)).json.version, 2);
  await until(async () => {
    const workers = await workersOf(service, endpoint);
    return workers.length === 1 && workers[0]!.version === 2;
  });
  const second = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(second.json.status, "COMPLETED");
  assert.notEqual(second.json.workerId, first.json.workerId);
});

test("a busy worker finishes its job before it is replaced", async (t) => {
  const { service, template, endpoint } = await served(t, 1_500);
  const running = service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  await until(
    async () => (await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inProgress === 1,
  );
  await release(service, template, ["--echo"]);
  const done = await running;
  assert.equal(done.json.status, "COMPLETED", done.text);
  assert.equal(done.json.retries, undefined);
  await until(async () =>
    (await workersOf(service, endpoint)).every(({ version }) => version === 2),
  );
});

test("a new version that crashes at its start leaves the old worker serving", async (t) => {
  const { service, template, endpoint } = await served(t, 0);
  const first = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  await release(service, template, ["--crash-at-start"]);
  await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers?ended=50`);
    return json.some(
      (each: WorkerView & { endedAt?: string }) => each.version === 2 && each.endedAt,
    );
  });
  const second = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(second.json.status, "COMPLETED");
  assert.equal(second.json.workerId, first.json.workerId);
});

test("a deleted endpoint cancels queued jobs and finishes running ones", async (t) => {
  const { service, endpoint, template } = await served(t, 800);
  const running = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } });
  await until(
    async () => (await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inProgress === 1,
  );
  const queued = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const inUse = await service.call("DELETE", `/v1/templates/${template}`);
  assert.equal(inUse.status, 400);
  assert.equal(inUse.json.code, "template_in_use");
  const deleted = await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, "");
  assert.equal((await service.call("GET", `/v2/${endpoint}/health`)).status, 404);
  const stateOf = (id: string) =>
    service.service.store.read(function* () {
      const sql = "select state from job where id = ?";
      return ((yield { sql, params: [id], rows: true }) as { state: string }[])[0]!.state;
    });
  await until(async () => (await stateOf(queued.json.id)) === "CANCELLED");
  await until(async () => (await stateOf(running.json.id)) === "COMPLETED");
  await until(async () => (await workersOf(service, endpoint)).length === 0);
  assert.equal((await service.call("DELETE", `/v1/templates/${template}`)).status, 204);
});
