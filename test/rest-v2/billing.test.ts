// Billing over REST v2: costs split by what they are for, with the same sums as REST v1 and GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/units.ts";
import { diskPart } from "../../src/domain/money/owed.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

type Amounts = Record<string, number>;

const micros = (dollars: number) => Math.round(dollars * 1_000_000);
const DISK_50 = Math.round((50 * 100_000) / 730);
/** Micro-dollars per hour: two A40, four vCPUs of cpu3g, and 10 GB of each class of storage. */
const rates = { gpu: 880_000, cpu: 160_000, storage: Math.round((10 * 70_000) / 730) };

async function spendOnEverything(t: Parameters<typeof simulatedService>[0]) {
  const service = await simulatedService(t);
  const ask = asker(service);
  const spendPerHr = async () => micros((await ask("GET", "/v1/balance")).spendPerHr);
  const settings = { driver: "simulated", imageName: "i", volumeInGb: 0 };
  const cpu = { computeType: "CPU", cpuFlavorIds: ["cpu3g"], vcpuCount: 4 };
  const gpu = { gpuTypeIds: ["NVIDIA A40"], gpuCount: 2 };
  const onGpus = await ask("POST", "/v1/pods", { ...settings, ...gpu }, 201);
  const onCpus = await ask("POST", "/v1/pods", { ...settings, ...cpu, containerDiskInGb: 50 }, 201);
  const volume = { name: "v", size: 10, dataCenter: "EU-RO-1" };
  const slow = await ask("POST", "/v2/network-volumes", volume, 201);
  const fastVolume = { ...volume, name: "f", type: "HIGH_PERFORMANCE" };
  const fast = await ask("POST", "/v2/network-volumes", fastVolume, 201);
  const endpointId = await service.makeEndpoint({
    template: { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" },
    spec: { workersMin: 1, workersMax: 1, ...cpu, computeType: "CPU" },
  });
  const all = rates.gpu + 2 * rates.cpu + 2 * DISK_50 + 2 * rates.storage;
  await until(async () => ((await spendPerHr()) === all ? true : null), "");
  const now = Date.now();
  await chargeAll(service.service.store, now + 30 * HOUR_MS, 100);
  for (const path of [`pods/${onGpus.id}`, `pods/${onCpus.id}`, `endpoints/${endpointId}`]) {
    await ask("DELETE", `/v1/${path}`, undefined, 204);
  }
  for (const { id } of [slow, fast])
    await ask("DELETE", `/v1/networkvolumes/${id}`, undefined, 204);
  await until(async () => ((await spendPerHr()) === 0 ? true : null), "");
  const ids = { onGpus: onGpus.id, onCpus: onCpus.id, slow: slow.id, fast: fast.id, endpointId };
  return { service, ask, ids, endTime: new Date(now + 40 * HOUR_MS).toISOString() };
}

type Spent = Awaited<ReturnType<typeof spendOnEverything>>;

/** The totals of a report in micro-dollars, which its records must add up to. */
async function totals({ ask, endTime }: Spent, path: string, query = ""): Promise<Amounts> {
  const { records, metadata } = await ask("GET", `/v2/billing${path}?endTime=${endTime}${query}`);
  const sums: Amounts = {};
  for (const name of Object.keys(metadata.totals)) {
    sums[name] = records.reduce((sum: number, each: Amounts) => sum + micros(each[name]!), 0);
    assert.equal(sums[name], micros(metadata.totals[name]), `${path} ${name}`);
  }
  assert.equal(records.length, metadata.recordCount);
  return sums;
}

test("costs are split by what they are for, and every interface has the same sums", async (t) => {
  const spent = await spendOnEverything(t);
  const pods = await totals(spent, "/pods");
  const workers = await totals(spent, "/serverless");
  const volumes = await totals(spent, "/network-volumes");
  for (const query of ["&bucketSize=hour", "&bucketSize=week", "&bucketSize=year"]) {
    assert.deepEqual(await totals(spent, "/pods", query), pods, query);
    assert.deepEqual(await totals(spent, "/serverless", query), workers, query);
    assert.deepEqual(await totals(spent, "/network-volumes", query), volumes, query);
  }
  const all = await totals(spent, "");
  assert.deepEqual(all, {
    totalAmount: pods.totalAmount! + workers.totalAmount! + volumes.totalAmount!,
    sandboxAmount: 0,
    podGpuAmount: pods.gpuAmount,
    podCpuAmount: pods.cpuAmount,
    podDiskAmount: pods.diskAmount,
    serverlessGpuAmount: 0,
    serverlessCpuAmount: workers.cpuAmount,
    serverlessDiskAmount: 0,
    serverlessFeeAmount: 0,
    storageStandardAmount: volumes.standardAmount,
    storageHighPerformanceAmount: volumes.highPerformanceAmount,
    endpointAmount: 0,
    clusterGpuAmount: 0,
    clusterDiskAmount: 0,
    clusterNetworkingAmount: 0,
  });
  const { totalAmount, ...parts } = all;
  assert.equal(
    Object.values(parts).reduce((a, b) => a! + b!),
    totalAmount,
  );
  assert.ok(volumes.standardAmount! > 0);
  assert.equal(volumes.highPerformanceAmount, volumes.standardAmount);
  await comparePods(spent);
  await compareSeveral(spent, { pods, volumes });
  await compareOtherInterfaces(spent, { pods, workers, volumes, all });
  await compareRecords(spent);
});

async function comparePods(spent: Spent) {
  for (const [id, compute, rate] of [
    [spent.ids.onGpus, "gpuAmount", rates.gpu],
    [spent.ids.onCpus, "cpuAmount", rates.cpu],
  ] as const) {
    const { totalAmount, ...parts } = await totals(spent, "/pods", `&podId=${id}`);
    const diskAmount = diskPart({ rate: rate + DISK_50, diskRate: DISK_50 }, totalAmount!);
    const none = { gpuAmount: 0, cpuAmount: 0 };
    assert.deepEqual(parts, { ...none, diskAmount, [compute]: totalAmount! - diskAmount });
    assert.ok(parts[compute]! > 0);
  }
}

/** Several ids are one value; each record is that of its own report, and an id of no resource adds none. */
async function compareSeveral(spent: Spent, { pods, volumes }: Record<string, Amounts>) {
  const { ids, endTime, ask } = spent;
  const { onGpus, onCpus, slow, fast, endpointId } = ids;
  assert.deepEqual(await totals(spent, "/pods", `&podId=${onGpus},${onCpus},${slow}`), pods);
  assert.deepEqual(
    await totals(spent, "/pods", `&podId=${onCpus},%20${onCpus}`),
    await totals(spent, "/pods", `&podId=${onCpus}`),
  );
  const both = `&networkVolumeId=${slow},${fast}`;
  assert.deepEqual(await totals(spent, "/network-volumes", both), volumes);
  const path = `/v2/billing/pods?endTime=${endTime}&bucketSize=hour&podId=${onCpus},${onGpus}`;
  const { records, metadata } = await ask("GET", path);
  const all = await ask("GET", `/v2/billing/pods?endTime=${endTime}&bucketSize=hour`);
  assert.deepEqual(records, all.records);
  assert.deepEqual([metadata.query.podId, metadata.uniquePodCount], [`${onCpus},${onGpus}`, 2]);
  const workers = await ask("GET", `/v2/billing/serverless?serverlessId=${endpointId},${onGpus}`);
  assert.equal(workers.metadata.uniqueServerlessCount, 1);
}

async function compareOtherInterfaces(
  { ask, endTime }: Spent,
  { pods, workers, volumes, all }: Record<"pods" | "workers" | "volumes" | "all", Amounts>,
) {
  const v1 = async (path: string, name = "amount") => {
    const records: Amounts[] = await ask("GET", `/v1/billing/${path}?endTime=${endTime}`);
    return records.reduce((sum, each) => sum + micros(each[name]!), 0);
  };
  assert.deepEqual(
    [await v1("pods"), await v1("endpoints"), await v1("networkvolumes")],
    [pods.totalAmount, workers.totalAmount, volumes.totalAmount],
  );
  const fast = await v1("networkvolumes", "highPerformanceStorageAmount");
  assert.equal(fast, volumes.highPerformanceAmount);
  const query = { query: "{ myself { clientLifetimeSpend clientBalance } }" };
  const { data } = await ask("POST", "/graphql", query);
  assert.equal(micros(data.myself.clientLifetimeSpend), all.totalAmount);
  assert.equal(-micros(data.myself.clientBalance), all.totalAmount);
}

async function compareRecords({ service, ask, ids, endTime }: Spent) {
  const path = `/v2/billing/pods?endTime=${endTime}&bucketSize=hour`;
  const { records, metadata } = await ask("GET", path);
  assert.equal(new Set(records.map((each: { podId: string }) => each.podId)).size, 2);
  assert.deepEqual([metadata.uniquePodCount, metadata.query.podId], [2, null]);
  for (const { startTime, endTime } of records) {
    assert.equal(Date.parse(endTime) - Date.parse(startTime), HOUR_MS);
  }
  const theirs = await createOtherAccount(service);
  const ours = `${path}&podId=${ids.onGpus},${ids.onCpus}`;
  const foreign = await service.call("GET", ours, undefined, theirs);
  assert.deepEqual([foreign.json.records, foreign.json.metadata.uniquePodCount], [[], 0]);
}

test("a stopped Pod costs its volume, which is a disk", async (t) => {
  const service = await simulatedService(t);
  const ask = asker(service);
  const gpu = { gpuTypeIds: ["NVIDIA A40"], volumeInGb: 730 };
  const { id } = await ask(
    "POST",
    "/v1/pods",
    { driver: "simulated", imageName: "i", ...gpu },
    201,
  );
  await until(async () => (await ask("GET", `/v1/pods/${id}`)).publicIp, id);
  await ask("POST", `/v1/pods/${id}/stop`);
  await until(async () => (await ask("GET", "/v1/balance")).spendPerHr === 0.2);
  const read = async () => (await ask("GET", "/v2/billing/pods?lastN=1&bucketSize=year")).metadata;
  const before = (await read()).totals;
  await chargeAll(service.service.store, Date.now() + 1_000, 100);
  const { totals } = await read();
  assert.equal(micros(totals.gpuAmount), micros(before.gpuAmount));
  const more = micros(totals.totalAmount) - micros(before.totalAmount);
  assert.ok(more > 0);
  assert.equal(micros(totals.diskAmount) - micros(before.diskAmount), more);
});

test("a report covers whole buckets of the requested time", async (t) => {
  const ask = asker(await simulatedService(t));
  const query = async (text: string) =>
    (await ask("GET", `/v2/billing/endpoints?${text}`)).metadata.query;
  const times = "startTime=2026-01-02T03:04:05Z&endTime=2026-02-03T04:05:06Z";
  assert.deepEqual(await query(`${times}&bucketSize=month`), {
    startTime: "2026-01-01T00:00:00.000Z",
    endTime: "2026-03-01T00:00:00.000Z",
    bucketSize: "month",
  });
  const { startTime, endTime, bucketSize } = await query("lastN=3");
  const days = (Date.parse(endTime) - Date.parse(startTime)) / (24 * HOUR_MS);
  assert.deepEqual([days, bucketSize, Date.parse(endTime) > Date.now()], [3, "day", true]);
  const ids = Array.from({ length: 101 }, (_, n) => `p${n}`).join();
  for (const wrong of ["podId=a&podId=b", "podId=", "podId=a,,b", `podId=${ids}`]) {
    const { errors } = await ask("GET", `/v2/billing/pods?${wrong}`, undefined, 422);
    assert.match(errors[0], /^\$\.podId: must be one value of at most 100 ids/, wrong);
  }
  const clusters = await ask("GET", "/v2/billing/clusters?clusterId=c");
  assert.deepEqual(clusters.records, []);
  assert.equal(clusters.metadata.query.clusterId, "c");
  for (const [text, status, complaint] of [
    ["lastN=2&startTime=2026-01-01T00:00:00Z", 400, /"lastN"/],
    ["lastN=100000&bucketSize=hour", 400, /92 days apart/],
    ["startTime=2026-02-01T00:00:00Z&endTime=2026-01-01T00:00:00Z", 400, /before "endTime"/],
    ["lastN=0", 422, /\$\.lastN/],
    ["bucketSize=minute", 422, /\$\.bucketSize/],
    ["startTime=yesterday", 422, /\$\.startTime/],
  ] as const) {
    assert.match((await ask("GET", `/v2/billing?${text}`, undefined, status)).detail, complaint);
  }
});
