// What endpoints' workers cost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";

test("a worker is billed from its start to its end, by the whole second", async (t) => {
  const service = await simulatedService(t);
  const balance = async () => (await service.call("GET", "/v1/balance")).json;
  const template = {
    imageName: "a/b:1",
    dockerStartCmd: ["simulate"],
    driver: "simulated" as const,
  };
  const make = (spec: object) =>
    service.makeEndpoint({ template, spec: { workersMin: 1, workersMax: 1, ...spec } });
  const onCpus = await make({ computeType: "CPU", cpuFlavorIds: ["cpu3g"], vcpuCount: 4 });
  const onGpus = await make({ gpuTypeIds: ["NVIDIA L4"], gpuCount: 2 });
  // Four CPUs at 0.04 dollars per hour; two L4 at 0.00019 dollars per second.
  const rates = { [onCpus]: 160_000, [onGpus]: 2 * 0.19e-3 * 3_600 * 1e6 };
  const all = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
  await until(async () => ((await balance()).spendPerHr === all / 1e6 ? true : null), "");
  for (const id of [onCpus, onGpus]) await service.call("DELETE", `/v1/endpoints/${id}`);
  await until(async () => ((await balance()).spendPerHr === 0 ? true : null), "");

  const read = async (query: string) =>
    (await service.call("GET", `/v1/billing/endpoints?bucketSize=year&${query}`)).json;
  const records = await read("");
  assert.equal(records.length, 2);
  for (const { endpointId, timeBilledMs, amount, diskSpaceBilledGb } of records) {
    assert.ok(timeBilledMs > 0 && timeBilledMs % 1_000 === 0, `${timeBilledMs} ms`);
    assert.equal(diskSpaceBilledGb, 0);
    const truth = Math.floor((rates[endpointId]! * timeBilledMs) / 3_600_000);
    assert.equal(Math.round(amount * 1e6), truth);
  }
  const byType = await read("grouping=gpuTypeId&gpuTypeId=NVIDIA%20L4");
  assert.deepEqual(
    byType.map((each: { gpuTypeId: string }) => each.gpuTypeId),
    ["NVIDIA L4"],
  );
  const byWorker = await read(`grouping=podId&endpointId=${onGpus}`);
  assert.equal(byWorker.length, 1);
  assert.equal(byWorker[0].amount, byType[0].amount);
  assert.equal((await read("imageName=a%2Fb%3A1")).length, 2);
  assert.deepEqual(await read("imageName=other"), []);
});

test("a job costs the time that its worker held it, and an endpoint reports the cost of 1,000 jobs", async (t) => {
  const service = await simulatedService(t);
  const template = {
    imageName: "i",
    dockerStartCmd: ["simulate", "--job-ms", "300", "--fail-every", "2"],
    driver: "simulated" as const,
  };
  const size = { computeType: "CPU" as const, cpuFlavorIds: ["cpu3g"], vcpuCount: 4 };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1, ...size } });
  const cost = async () => (await service.call("GET", `/v1/endpoints/${endpoint}/cost`)).json;
  assert.deepEqual(await cost(), { spent: 0, spendPerHr: 0, jobs: 0 });
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    ids.push((await service.call("POST", `/v2/${endpoint}/run`, { input: {} })).json.id);
  }
  for (const id of ids) {
    const job = await until(async () => {
      const { json } = await service.call("GET", `/v1/jobs/${id}`);
      return json.finishedAt ? json : null;
    }, id);
    const truth = Math.round((160_000 * job.executionTime) / 3_600_000);
    assert.equal(Math.round(job.cost * 1e6), truth);
    assert.match(job.story, new RegExp(`ran .*, cost 0\\.0000\\d\\d dollars, ${job.status}`));
    assert.equal((await service.call("GET", `/v1/why/${id}`)).json.story, job.story);
  }
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { workersMax: 0 });
  const ended = await until(async () => {
    const current = await cost();
    return current.spendPerHr === 0 ? current : null;
  }, "");
  assert.equal(ended.jobs, 2, "one completed, and one failed");
  assert.equal(Math.round(ended.per1000Jobs * 1e6), Math.round((ended.spent * 1e9) / 2));
  const [{ amount }] = (await service.call("GET", "/v1/billing/endpoints?bucketSize=year")).json;
  assert.equal(amount, ended.spent);
});
