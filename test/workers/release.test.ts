// A release on a running endpoint: idle workers are replaced, busy ones finish their job first, and
// a new version that cannot start does not take the endpoint down.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";

const protocol = { endingHoldMs: 20, endGraceMs: 200, pingIntervalMs: 1_000 };

interface WorkerView {
  id: string;
  version: number;
}

async function served(t: TestContext, jobMs: number) {
  const house = await startHouse(t, { protocol });
  const template = await house.call("POST", "/v1/templates", {
    name: "released",
    imageName: "fake",
    isServerless: true,
    volumeInGb: 0,
    driver: "fake",
    dockerStartCmd: ["fake-worker", "--echo", "--job-ms", String(jobMs)],
  });
  assert.equal(template.status, 200, template.text);
  const endpoint = await house.call("POST", "/v1/endpoints", {
    name: "released",
    templateId: template.json.id,
    workersMin: 1,
    workersMax: 1,
  });
  assert.equal(endpoint.status, 200, endpoint.text);
  return { house, template: template.json.id as string, endpoint: endpoint.json.id as string };
}

async function release(house: TestHouse, template: string, command: string[]): Promise<void> {
  const changed = await house.call("PATCH", `/v1/templates/${template}`, {
    dockerStartCmd: ["fake-worker", ...command],
  });
  assert.equal(changed.status, 200, changed.text);
}

async function workersOf(house: TestHouse, endpoint: string): Promise<WorkerView[]> {
  return house.house.store.read(function* () {
    return (yield {
      sql: "select id, version from worker where endpoint_id = ? and observed = 'running'",
      params: [endpoint],
      rows: true,
    }) as WorkerView[];
  });
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 30));
}

test("an idle worker is replaced by one of the new version", async (t) => {
  const { house, template, endpoint } = await served(t, 0);
  const first = await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  await release(house, template, ["--echo", "--job-ms", "1"]);
  assert.equal((await house.call("GET", `/v1/endpoints/${endpoint}`)).json.version, 2);
  await until(async () => {
    const workers = await workersOf(house, endpoint);
    return workers.length === 1 && workers[0]!.version === 2;
  });
  const second = await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(second.json.status, "COMPLETED");
  assert.notEqual(second.json.workerId, first.json.workerId);
});

test("a busy worker finishes its job before it goes", async (t) => {
  const { house, template, endpoint } = await served(t, 1_500);
  const running = house.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  await until(
    async () => (await house.call("GET", `/v2/${endpoint}/health`)).json.jobs.inProgress === 1,
  );
  await release(house, template, ["--echo"]);
  const done = await running;
  assert.equal(done.json.status, "COMPLETED", done.text);
  assert.equal(done.json.retries, undefined);
  await until(async () => (await workersOf(house, endpoint)).every(({ version }) => version === 2));
});

test("a new version that crashes at its start leaves the old worker serving", async (t) => {
  const { house, template, endpoint } = await served(t, 0);
  const first = await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  await release(house, template, ["--crash-at-start"]);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const second = await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(second.json.status, "COMPLETED");
  assert.equal(second.json.workerId, first.json.workerId);
});

test("a deleted endpoint cancels what is queued and lets what runs finish", async (t) => {
  const { house, endpoint, template } = await served(t, 800);
  const running = await house.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } });
  await until(
    async () => (await house.call("GET", `/v2/${endpoint}/health`)).json.jobs.inProgress === 1,
  );
  const queued = await house.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const inUse = await house.call("DELETE", `/v1/templates/${template}`);
  assert.equal(inUse.status, 400);
  assert.equal(inUse.json.code, "template_in_use");
  const deleted = await house.call("DELETE", `/v1/endpoints/${endpoint}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, "");
  assert.equal((await house.call("GET", `/v2/${endpoint}/health`)).status, 404);
  const stateOf = (id: string) =>
    house.house.store.read(function* () {
      const sql = "select state from job where id = ?";
      return ((yield { sql, params: [id], rows: true }) as { state: string }[])[0]!.state;
    });
  await until(async () => (await stateOf(queued.json.id)) === "CANCELLED");
  await until(async () => (await stateOf(running.json.id)) === "COMPLETED");
  await until(async () => (await workersOf(house, endpoint)).length === 0);
  assert.equal((await house.call("DELETE", `/v1/templates/${template}`)).status, 204);
});
