// Tests of the limit on the bytes that an account stores.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const LIMIT = { FREEHOLD_STORAGE_PER_ACCOUNT: "0.001" };
const input = { text: "x".repeat(300_000) };

async function fill(service: TestService, endpoint: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await service.call("POST", `/v2/${endpoint}/run`, { input });
    if (status === 200) ids.push(json.id);
    else {
      assert.equal(status, 400);
      assert.equal(json.code, "storage_full");
      assert.match(json.error, /stores [\d.]+ kB of at most 1 MB, and this would add 301 kB/);
      return ids;
    }
  }
}

/** Waits until the limit is checked against a new sum. */
async function isAdmitted(service: TestService, path: string, body: object): Promise<void> {
  await until(async () => (await service.call("POST", path, body)).status < 300);
}

test("an account at its limit stores nothing new until something is freed", async (t) => {
  const service = await startService(t, { env: LIMIT, protocol: { keepAsyncMs: 5_000 } });
  const endpoint = await service.makeEndpoint();
  const other = await service.makeEndpoint();
  const ids = await fill(service, endpoint);
  assert.equal(ids.length, 3, "on any number of replicas");
  await t.test("everything else that it stores is refused beyond the limit too", async () => {
    const name = "n".repeat(100);
    const large = "v".repeat(60_000);
    const filler = { name: "filler", imageName: "x", readme: large };
    const { json: template } = await service.call("POST", "/v1/templates", filler);
    const creations: [string, object][] = [
      ["secrets", { name: "large", value: large }],
      ["templates", { name, imageName: "x", readme: large }],
      ["schedules", { name, endpointId: endpoint, cron: "0 0 1 1 *", input: { large } }],
      [`batches`, { endpointId: endpoint, items: [{ input: { large } }] }],
    ];
    for (const [path, body] of creations) {
      const { status, json, text } = await service.call("POST", `/v1/${path}`, body);
      assert.equal(`${status} ${json.code}`, "400 storage_full", `${path}: ${text}`);
    }
    const renamed = await service.call("PATCH", `/v1/templates/${template.id}`, { readme: "" });
    assert.equal(renamed.status, 200, "less is always stored");
    await service.call("PATCH", `/v1/templates/${template.id}`, { readme: large });
    const { json: small } = await service.call("POST", "/v1/secrets", { name: "s", value: "v" });
    const patched = await service.call("PATCH", `/v1/secrets/${small.id}`, { value: large });
    assert.equal(patched.json.code, "storage_full", patched.text);
    const { json: entries } = await service.call("GET", "/v1/audit?operation=createSecret");
    const outcomes = entries.map(({ outcome }: { outcome: string }) => outcome);
    assert.deepEqual(outcomes, ["done", "refused"]);
    assert.equal((await service.call("DELETE", `/v1/secrets/${small.id}`)).status, 204);
  });
  await t.test("the limit is the account's, and not the endpoint's", async () => {
    const sync = await service.call("POST", `/v2/${other}/runsync`, { input });
    assert.equal(sync.json.code, "storage_full", sync.text);
  });
  await t.test("queued jobs run, and a large result is stored", async () => {
    const worker = await service.makeWorker(endpoint);
    const { json } = await worker.call("job-take", "?job_in_progress=0");
    const done = JSON.stringify({ output: "y".repeat(400_000) });
    const posted = await worker.call(`job-done/${json.id}`, "", done);
    assert.equal(posted.status, 200);
    const { json: job } = await service.call("GET", `/v2/${endpoint}/status/${json.id}`);
    assert.equal(job.output.length, 400_000);
  });
  await t.test("a deleted job makes room", async () => {
    for (const id of ids) await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
    await isAdmitted(service, `/v2/${endpoint}/run`, { input });
  });
});
