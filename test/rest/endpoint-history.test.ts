// Tests of an endpoint's job history over time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

const HOUR_MS = 3_600_000;

test("jobs count in the minutes in which they were submitted, ran and ended", async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const worker = await service.makeWorker("imaging");
  for (let n = 0; n < 3; n++) await service.call("POST", "/v2/imaging/run", { input: {} });
  const taken = await worker.call("job-take");
  await worker.call(`job-done/${taken.json.id}`, "", JSON.stringify({ output: 1 }));
  await worker.call("job-take");
  const { json: points, status } = await service.call("GET", "/v1/endpoints/imaging/history");
  assert.equal(status, 200);
  assert.ok(points.length >= 61 && points.length <= 62, `${points.length} points`);
  const newest = points.at(-1);
  assert.deepEqual([newest.queued, newest.running], [1, 1]);
  const sum = (name: string) =>
    points.reduce((total: number, point: Record<string, number>) => total + point[name]!, 0);
  assert.deepEqual([sum("completed"), sum("failed"), sum("coldStarts")], [1, 0, 1]);
  const ran = points.filter(({ execution }: { execution: unknown }) => execution !== null);
  assert.equal(ran.length, 1);
  assert.ok(ran[0].execution.p99 >= ran[0].execution.p50);
});

test("the time range is limited, and errors name the limits", async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const ask = (query: string) => service.call("GET", `/v1/endpoints/imaging/history?${query}`);
  const before = (ms: number) => new Date(Date.now() - ms).toISOString();
  const day = await ask(`bucketMinutes=60&startTime=${before(24 * HOUR_MS)}`);
  assert.ok(day.json.length >= 24 && day.json.length <= 26, day.text);
  const past = `startTime=${before(2 * HOUR_MS)}&endTime=${before(HOUR_MS)}`;
  assert.ok((await ask(`${past}&bucketMinutes=15`)).json.length <= 5);
  for (const [query, said] of [
    [`startTime=${before(25 * HOUR_MS)}`, /at most 24 hours ago/],
    [`startTime=${before(0)}&endTime=${before(HOUR_MS)}`, /before \\"endTime/],
    ["bucketMinutes=61", /bucketMinutes/],
    ["startTime=yesterday", /startTime/],
  ] as const) {
    const refused = await ask(query);
    assert.equal(refused.status, 400, query);
    assert.match(refused.text, said);
  }
  const unknown = await service.call("GET", "/v1/endpoints/nothing/history");
  assert.deepEqual([unknown.status, unknown.json.code], [404, "endpoint_not_found"]);
});

test("the activity of all endpoints has their jobs of the last hours, and nothing of idle ones", async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  await service.makeEndpoint({ id: "idle" });
  const worker = await service.makeWorker("imaging");
  for (const body of [{ output: 1 }, { output: 2 }, { error: "no" }]) {
    await service.call("POST", "/v2/imaging/run", { input: {} });
    const { json: job } = await worker.call("job-take");
    await worker.call(`job-done/${job.id}`, "", JSON.stringify(body));
  }
  const { json: all, status } = await service.call("GET", "/v1/endpoint-activity");
  assert.equal(status, 200);
  assert.equal(all.length, 1);
  const [{ endpointId, completed, failed, executionP95Ms, spentToday }] = all;
  const sum = (counts: number[]) => counts.reduce((total, n) => total + n, 0);
  assert.deepEqual([completed.length, failed.length], [24, 24]);
  assert.deepEqual([endpointId, sum(completed), sum(failed), spentToday], ["imaging", 2, 1, 0]);
  assert.ok(executionP95Ms >= 0);
  const { json: day } = await service.call("GET", "/v1/endpoint-activity?hours=24");
  assert.deepEqual(
    [day[0].completed.length, sum(day[0].completed), sum(day[0].failed)],
    [96, 2, 1],
  );
  assert.equal((await service.call("GET", "/v1/endpoint-activity?hours=25")).status, 400);
  await service.call("DELETE", "/v1/endpoints/imaging");
  assert.deepEqual((await service.call("GET", "/v1/endpoint-activity")).json, []);
});
