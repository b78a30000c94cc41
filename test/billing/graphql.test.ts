// The costs of an account in buckets, as GraphQL shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { ask, refusal } from "../graphql/ask.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const document = `query DailyBilling($input: UserBillingInput!) { myself { billing(input: $input) {
  summary { time gpuCloudAmount cpuCloudAmount serverlessAmount storageAmount runpodEndpointAmount }
  storage { time amount networkStorageAmount gpuStorageAmount cpuStorageAmount slsStorageAmount }
  gpuCloud { gpuTypeId time timeBilledSeconds amount }
  cpuCloud { cpuFlavorId time timeBilledSeconds amount }
  runpodEndpoint { time amount }
  serverless { endpointId time timeBilledSeconds amount }
} } }`;

interface Row extends Record<string, unknown> {
  gpuTypeId: string;
  podId: string;
}

const sum = (rows: Row[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-5;

test("billing has every bucket, and the amounts of the REST history by what they are for", async (t) => {
  const service = await simulatedService(t, virtual);
  const make = async (body: object) => {
    const spec = { driver: "simulated", imageName: "i", volumeInGb: 0, ...body };
    const { json: pod } = await service.call("POST", "/v1/pods", spec);
    await until(podsOf(service).reached, pod.id);
    return pod.id as string;
  };
  const gpu = await make({ gpuTypeIds: ["NVIDIA A40"] });
  const cpu = await make({ computeType: "CPU" });
  await advance(service, "2h");
  for (const id of [gpu, cpu]) await service.call("POST", `/v1/pods/${id}/stop`);
  await until(async () => (await service.call("GET", "/v1/balance")).json.spendPerHr === 0);
  const { json: records } = await service.call("GET", "/v1/billing/pods?grouping=podId");
  const amountOf = (id: string) =>
    sum(
      records.filter(({ podId }: Row) => podId === id),
      "amount",
    );
  assert.ok(amountOf(gpu) > 0.8 && amountOf(cpu) > 0);

  for (const [granularity, buckets] of [
    ["HOURLY", 720],
    ["DAILY", 30],
    ["WEEKLY", 12],
    ["MONTHLY", 12],
  ] as const) {
    const { myself } = await ask(service, document, { input: { granularity } });
    const { summary, storage, gpuCloud, cpuCloud, serverless, runpodEndpoint } = myself.billing;
    assert.deepEqual(
      [summary.length, storage.length, serverless, runpodEndpoint],
      [buckets, buckets, [], []],
    );
    const types = new Set(gpuCloud.map(({ gpuTypeId }: Row) => gpuTypeId));
    assert.deepEqual([...types], ["NVIDIA A40"]);
    assert.ok(isNear(sum(gpuCloud, "amount"), amountOf(gpu)), granularity);
    assert.ok(isNear(sum(cpuCloud, "amount"), amountOf(cpu)), granularity);
    for (const rows of [gpuCloud, cpuCloud]) {
      const seconds = sum(rows, "timeBilledSeconds");
      assert.ok(Number.isInteger(seconds) && seconds >= 7_200 && seconds < 7_300, `${seconds}`);
    }
    const disks = sum(storage, "gpuStorageAmount");
    assert.ok(disks > 0 && isNear(sum(summary, "gpuCloudAmount") + disks, amountOf(gpu)));
    const cpuDisks = sum(storage, "cpuStorageAmount");
    assert.ok(isNear(sum(summary, "cpuCloudAmount") + cpuDisks, amountOf(cpu)));
    assert.ok(isNear(sum(summary, "storageAmount"), disks + cpuDisks));
  }
  const byDefault = await ask(service, document, { input: {} });
  assert.equal(byDefault.myself.billing.summary.length, 30);
  const minutely = "{ myself { billing(input: {granularity: MINUTELY}) { summary { time } } } }";
  assert.match((await refusal(service, minutely)).message, /"input\.granularity".*MINUTELY/);
});
