// Tests of the resource usage of Pods and workers: sampled, read and shown in a Pod's runtime; and
// full disks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../src/base/clock.ts";
import { runtimesOf } from "../../src/flows/pod/runtime.ts";
import { LocalDrivers } from "../../src/flows/replica/local-drivers.ts";
import { findPod } from "../../src/store/pod/row.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const protocol = { measureMs: 50 };
const acting = (...args: string[]) => ({
  driver: "simulated",
  imageName: "i",
  dockerStartCmd: ["simulate", ...args],
});

test("running workloads are sampled, and the latest sample is reported", async (t) => {
  const service = await simulatedService(t, { protocol });
  const wanted = { ...acting("--cpu-percent", "100", "--memory-mb", "2048", "--disk-mb", "10") };
  const { json: pod } = await service.call("POST", "/v1/pods", wanted);
  const before = await service.call("GET", `/v1/pods/${pod.id}/metrics`);
  assert.equal(before.status, 200);
  const metrics = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/pods/${id}/metrics`);
    return json.samples.length > 2 ? json : null;
  }, pod.id);
  assert.deepEqual(metrics.latest, metrics.samples.at(-1));
  assert.partialDeepStrictEqual(metrics.latest, {
    cpuPercent: 50,
    memoryBytes: 2 ** 31,
    memoryLimitBytes: 2 ** 33,
    memoryPercent: 25,
    receivedBytes: null,
    diskBytes: 10 * 2 ** 20,
    volumeBytes: null,
    gpus: [],
  });
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  await until(podsOf(service).unreached, pod.id);
  const after = await service.call("GET", `/v1/pods/${pod.id}/metrics`);
  assert.ok(after.json.samples.length >= metrics.samples.length);
  assert.equal((await service.call("GET", "/v1/workers/nobody/metrics")).status, 404);
});

test("a Pod has a runtime while it runs", async (t) => {
  const service = await simulatedService(t, { protocol });
  const body = { ...acting(), ports: ["22/tcp", "8888/http"], gpuTypeIds: ["NVIDIA A40"] };
  const { json } = await service.call("POST", "/v1/pods", body);
  await until(podsOf(service).reached, json.id);
  const pod = (await service.service.store.read(findPod, json.id))!;
  const clock = new VirtualClock(pod.observed.startedAt! + 90_500);
  const localDrivers = new LocalDrivers();
  const { usage } = localDrivers.begin(pod.placement.machine, []);
  const gpu = { index: pod.placement.gpus[0]!, gpuUtilPercent: 30, memoryUtilPercent: 40 };
  usage.note(pod.id, { ...sampled, at: clock.now(), gpus: [gpu] });
  const desired = { ...pod.desired, state: "EXITED" as const };
  const stopped = { ...pod, id: "other", desired };
  const starting = { ...pod, observed: { ...pod.observed, state: "starting" as const } };
  const deps = { clock, localDrivers, peers: null as never };
  assert.deepEqual(await runtimesOf(deps, [stopped, pod, starting]), [
    null,
    {
      uptimeInSeconds: 90,
      measuredAt: clock.now(),
      ports: [
        {
          ip: "127.0.0.1",
          isIpPublic: true,
          privatePort: 22,
          publicPort: pod.observed.portMappings[22],
          type: "tcp",
        },
        { ip: "127.0.0.1", isIpPublic: false, privatePort: 8888, publicPort: 8888, type: "http" },
      ],
      gpus: [{ id: String(pod.placement.gpus[0]), gpuUtilPercent: 30, memoryUtilPercent: 40 }],
      container: { cpuPercent: 12.5, memoryPercent: 60 },
    },
    null,
  ]);
});

const sampled = {
  cpuPercent: 12.5,
  memoryBytes: 6,
  memoryLimitBytes: 10,
  memoryPercent: 60,
  receivedBytes: null,
  sentBytes: null,
  diskBytes: null,
  volumeBytes: null,
};

test("a Pod whose disk is full is stopped, and why explains it", async (t) => {
  const service = await simulatedService(t, { protocol });
  const body = { ...acting("--disk-mb", "1024"), containerDiskInGb: 1 };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  const exited = await until(podsOf(service).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold/);
  const { json: why } = await service.call("GET", `/v1/why/${pod.id}`);
  assert.equal(why.code, "pod_disk_full");
  assert.match(why.sentence, /was stopped .* ago: its container's disk of 1 GB is full\./);
  const { json: log } = await service.call("GET", `/v1/pods/${pod.id}/logs?type=system`);
  assert.ok(log.some(({ text }: { text: string }) => /^stopped: its container's disk/.test(text)));
  const roomy = await service.call("POST", "/v1/pods", { ...body, containerDiskInGb: 2 });
  await until(async (id) => {
    const { json } = await service.call("GET", `/v1/pods/${id}/metrics`);
    return json.samples.length > 2 ? json : null;
  }, roomy.json.id);
  assert.equal((await podsOf(service).get(roomy.json.id)).desiredStatus, "RUNNING");
});

test("a process's resource usage is measured", async (t) => {
  const service = await startService(t, { drivers: "process", protocol });
  const dockerStartCmd = [process.execPath, "-e", "for (;;);"];
  const body = { driver: "process", imageName: "none", dockerStartCmd, computeType: "CPU" };
  const { json: pod } = await service.call("POST", "/v1/pods", { ...body, volumeInGb: 0 });
  const { latest } = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/pods/${id}/metrics`);
    return json.latest?.cpuPercent > 0 ? json : null;
  }, pod.id);
  assert.ok(latest.memoryBytes > 1e6);
  assert.deepEqual([latest.memoryLimitBytes, latest.diskBytes], [null, null]);
});
