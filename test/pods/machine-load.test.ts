// Tests of the load of a machine and its GPUs: sampled, read, and printed by `freehold top`.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setGpuHealth } from "../../src/store/replica/gpu-health.ts";
import { freehold } from "../cli/command.ts";
import { newDataFolder, startService, type TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const protocol = { measureMs: 50 };
const hot = { "temperature/gpu_temp": "71 C" };
const scenario = {
  gpus: [
    { name: "NVIDIA A40", values: hot },
    { name: "NVIDIA A40", values: { "temperature/gpu_temp": null } },
  ],
};

test("a machine's load is sampled with its GPUs, and top prints it", async (t) => {
  const dataFolder = newDataFolder();
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, { protocol, dataFolder, replicas: null });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const read = `/v1/machines/${id}/metrics`;
  const { latest, samples } = await until(async () => {
    const { json } = await service.call("GET", read);
    return json.samples.length > 1 && json.latest.gpus.length === 2 ? json : null;
  });
  assert.deepEqual(latest, samples.at(-1));
  assert.ok(latest.memoryBytes > latest.memoryUsedBytes && latest.memoryUsedBytes > 0);
  const [first, second] = latest.gpus;
  assert.deepEqual(first, {
    index: 0,
    gpuUtilPercent: 0,
    memoryUtilPercent: 0,
    temperatureC: 71,
    powerWatts: 25,
    clockMhz: 210,
  });
  assert.deepEqual([second.index, second.temperatureC], [1, null]);
  await until(async () => (await service.call("GET", read)).json.latest.cpuPercent !== null);

  const { text } = await service.call("GET", "/metrics");
  for (const line of [
    `gpu_temperature_celsius{machine="${id}",gpu="0"} 71`,
    `gpu_clock_hertz{machine="${id}",gpu="0"} 210000000`,
    `machine_cpu_percent{machine="${id}"}`,
  ])
    assert.ok(text.includes(`freehold_${line}`), text);
  assert.ok(!text.includes(`freehold_gpu_temperature_celsius{machine="${id}",gpu="1"}`));

  const wanted = { driver: "simulated", imageName: "i", name: "train", gpuTypeIds: ["NVIDIA A40"] };
  const { json: pod } = await service.call("POST", "/v1/pods", wanted);
  await until(podsOf(service).reached, pod.id);
  const metrics = `/v1/pods/${pod.id}/metrics`;
  await until(async () => (await service.call("GET", metrics)).json.latest?.gpus[0]?.clockMhz > 0);
  const { gpuDevices } = (await service.call("GET", "/v1/machines")).json[0];
  const { uuid } = gpuDevices.find((each: { workloads: string[] }) =>
    each.workloads.includes(pod.id),
  );
  const at = Date.now();
  const errors = { code: 31, count: 2, firstAt: at, lastAt: at, workload: pod.id };
  const health = { errors: { [uuid]: [{ ...errors, program: pod.id }] } };
  await service.service.store.write(setGpuHealth, id, health);
  const counted = `freehold_gpu_errors{machine="${id}",gpu="0",code="xid_31",workload="${pod.id}"} 2`;
  await until(async () => (await service.call("GET", "/metrics")).text.includes(counted));
  const top = (...more: string[]) => freehold(["top", "--data", service.dataFolder, ...more]);
  const { code, stdout, stderr } = await top();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^MACHINE +CPU +MEMORY\n.+ \d+% +\d+\.\d of \d+\.\d GiB\n\nGPU /);
  assert.match(stdout, /\n0 +.+NVIDIA A40 +0% +0% +71 C +25 W +210 MHz +2 × xid_31 +\S+\n/);
  assert.match(stdout, new RegExp(`\\n${pod.id} +train +.*210 MHz +2 × xid_31\\n`));
  const { machines, pods } = JSON.parse((await top("--json")).stdout);
  assert.deepEqual([machines[0].id, machines[0].latest.gpus.length], [id, 2]);
  const [{ gpuErrors, ...podLine }] = pods;
  assert.deepEqual([podLine.id, podLine.gpuClocksMhz], [pod.id, [210]]);
  assert.deepEqual(
    [gpuErrors, machines[0].gpus[0].errors].map(([error]) => [error.code, error.count]),
    [
      ["xid_31", 2],
      ["xid_31", 2],
    ],
  );
  assert.deepEqual(machines[0].gpus[0].workloads, [pod.id]);
  assert.equal((await top("gpu-1")).code, 2);
});

test("the load of a machine is kept for days in intervals, over a restart", async (t) => {
  const first = await startService(t, { ...virtual, protocol, replicas: null });
  const [{ id }] = (await first.call("GET", "/v1/machines")).json;
  const read = (service: TestService, range: string) =>
    service.call("GET", `/v1/machines/${id}/metrics?range=${range}`);
  const intervals = async (service: TestService, range: string): Promise<number[]> =>
    (await read(service, range)).json.samples.map(({ at }: { at: string }) => Date.parse(at));
  assert.deepEqual(await intervals(first, "24h"), []);
  await until(async () => {
    await advance(first, "5m");
    return (await intervals(first, "24h")).length >= 3;
  });
  const { latest } = (await read(first, "24h")).json;
  assert.ok(latest.memoryUsedBytes > 0 && latest.memoryBytes > latest.memoryUsedBytes);
  await first.stop();

  const { dataFolder } = first;
  const second = await startService(t, { ...virtual, protocol, replicas: null, dataFolder });
  const storedAt = await intervals(second, "24h");
  assert.ok(storedAt.length >= 3 && storedAt.every((at) => at % 300_000 === 0), `${storedAt}`);
  const halfHours = new Set(storedAt.map((at) => at - (at % 1_800_000)));
  assert.deepEqual(await intervals(second, "7d"), [...halfHours]);
  await advance(second, "25h");
  const day = await intervals(second, "24h");
  assert.ok(!day.some((at) => storedAt.includes(at)));
  assert.ok((await intervals(second, "7d")).includes([...halfHours][0]!));
  await advance(second, "8d");
  await until(async () => !(await intervals(second, "7d")).includes([...halfHours][0]!));
  const { status, json } = await read(second, "2h");
  assert.deepEqual([status, json.code], [400, "invalid_query"]);
});

test("only the operator reads the load of a machine, and only of one that is there", async (t) => {
  const service = await simulatedService(t, { protocol, replicas: null });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const { status, json } = await service.call("GET", "/v1/machines/none/metrics");
  assert.deepEqual([status, json.code], [404, "machine_not_found"]);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const authorization = `Bearer ${other.key}`;
  const refused = await fetch(`${service.origin}/v1/machines/${id}/metrics`, {
    headers: { authorization },
  });
  assert.equal(refused.status, 403, await refused.text());
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: other.key };
  const { code, stdout, stderr } = await freehold(["top"], { env });
  assert.deepEqual([code, stderr], [0, "No running Pods found\n"]);
  assert.match(stdout, /^POD +NAME/);
});
