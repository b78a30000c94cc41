// A GPU that the driver loses while a Pod uses it, and that comes back.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { knownMachines } from "../../src/store/replica/inventory.ts";
import { freehold } from "../cli/command.ts";
import { type KernelLogFile, xidLine } from "../fixtures/gpu/kernel-log.ts";
import {
  A40,
  LOST,
  REBOOT,
  RESET,
  uuidOf,
  writeNvidiaSmi,
  writeScenario,
} from "../fixtures/gpu/nvidia-smi.ts";
import { standIns } from "../fixtures/gpu/stand-ins.ts";
import { startService } from "../fixtures/service/service.ts";
import { advance } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const gpuPod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

test("a lost GPU is not offered, and its Pod, its machine and the operator say so", async (t) => {
  const { folder, kernelLog, env } = standIns(t);
  const service = await simulatedService(t, {
    replicas: null,
    protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
    env,
  });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "GPUs", events: ["gpu_unhealthy"], channel };
  assert.equal((await service.call("POST", "/v1/notification-rules", rule)).status, 201);
  const pods = await Promise.all(
    [1, 2].map(async () => {
      const { json } = await service.call("POST", "/v1/pods", gpuPod);
      assert.equal(json.gpu.virtual, false);
      return json.id as string;
    }),
  );
  for (const id of pods) await until(podsOf(service).reached, id);
  const whyCodes = async () =>
    Promise.all(pods.map(async (id) => (await service.call("GET", `/v1/why/${id}`)).json.code));
  assert.deepEqual(await whyCodes(), ["pod_running", "pod_running"]);

  writeNvidiaSmi(folder, [REBOOT(0), LOST(1)]);
  await advance(service, "6m");
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  await until(async () => (await machine()).trouble === "nvidia-smi: GPU 1: GPU is lost");
  const { gpus, unhealthyGpus, notices } = await machine();
  assert.deepEqual([gpus[0].count, unhealthyGpus], [1, undefined]);
  assert.match(notices.join(), /GPU 0: .* restart of the machine, because of another GPU; reboot/);
  assert.deepEqual((await whyCodes()).toSorted(), ["pod_gpu_lost", "pod_running"]);
  const affected = pods[(await whyCodes()).indexOf("pod_gpu_lost")]!;
  const { sentence } = (await service.call("GET", `/v1/why/${affected}`)).json;
  assert.equal(
    sentence,
    `Pod ${affected} runs, and its GPU 1 cannot be read any more: nvidia-smi: GPU 1: GPU is lost.`,
  );
  const lastEvent = async () => (await service.call("GET", `/v1/pods/${affected}/events`)).json[0];
  assert.partialDeepStrictEqual(await lastEvent(), {
    event: "gpu_lost",
    message: "its GPU 1 cannot be read any more: nvidia-smi: GPU 1: GPU is lost",
  });

  writeNvidiaSmi(folder, [A40(0), A40(1)]);
  await advance(service, "15s");
  await until(async () => (await machine()).trouble === undefined);
  assert.deepEqual(await whyCodes(), ["pod_running", "pod_running"]);
  assert.equal((await lastEvent()).event, "gpu_back");
  const messages = await receiver.sent(2);
  const events = messages.flatMap(({ body }) => JSON.parse(body).data.events);
  const id = (await machine()).id;
  assert.deepEqual(
    events.map(({ type, summary, resolved }) => [type, summary, resolved]),
    [
      [
        "gpu_unhealthy",
        `Not all GPUs of machine ${id} can be used: nvidia-smi: GPU 1: GPU is lost.`,
        false,
      ],
      ["gpu_unhealthy", `All GPUs of machine ${id} can be used again.`, true],
    ],
  );
  const fixture = { service, folder, kernelLog, env, machine, pod: affected, lastEvent };
  await outOfService(fixture);
  await cordoned(fixture);
  await quarantined(fixture);
  await withMemoryErrors(fixture);
  await renumbered(fixture);
  await restarted(t, fixture);
});

interface Fixture {
  service: Awaited<ReturnType<typeof simulatedService>>;
  folder: string;
  kernelLog: KernelLogFile;
  env: Record<string, string>;
  machine: () => Promise<{
    id: string;
    gpus: { count: number }[];
    gpuDevices: {
      number: number;
      uuid: string;
      state: string;
      cordonReason?: string;
      workloads: string[];
      quarantine?: object;
    }[];
    unhealthyGpus?: object[];
    notices?: string[];
  }>;
  /** The Pod with GPU 1. */
  pod: string;
  lastEvent: () => Promise<{ event: string }>;
}

/** A GPU that answers and needs a reset keeps its Pod, and no other Pod gets it. */
async function outOfService({ service, folder, machine, pod, lastEvent }: Fixture) {
  writeNvidiaSmi(folder, [A40(0), RESET(1)]);
  await advance(service, "6m");
  await until(async () => (await machine()).unhealthyGpus?.length === 1);
  const { unhealthyGpus, gpus } = await machine();
  assert.equal(gpus[0]?.count, 2);
  assert.partialDeepStrictEqual(unhealthyGpus?.[0], { number: 1, code: "recovery_action" });
  const { code, sentence: reason } = (await service.call("GET", `/v1/why/${pod}`)).json;
  assert.equal(code, "pod_gpu_unhealthy");
  assert.match(reason, /out of service: GPU 1: its driver reports .* "Reset"; reset the GPU/);
  assert.equal((await lastEvent()).event, "gpu_unhealthy");
  await service.call("DELETE", `/v1/pods/${pod}`);
  const refused = await service.call("POST", "/v1/pods", gpuPod);
  assert.match(refused.text, /0 GPUs of the type NVIDIA A40 are free .*GPU 1: its driver reports/);
  writeNvidiaSmi(folder, [A40(0), A40(1)]);
  await advance(service, "15s");
  await until(async () => (await machine()).unhealthyGpus === undefined);
  assert.equal((await service.call("POST", "/v1/pods", gpuPod)).status, 201);
}

/** A cordoned GPU keeps its Pod; once that is gone, no other gets the GPU, also when the service enters anew. */
async function cordoned({ service, machine }: Fixture) {
  const { id, gpuDevices } = await machine();
  const device = gpuDevices.find(({ number }) => number === 1)!;
  assert.partialDeepStrictEqual(device, { uuid: uuidOf(A40(1)), state: "in_use" });
  const change = (cordonedGpus: object) =>
    service.call("PATCH", `/v1/machines/${id}`, { cordonedGpus });
  for (const unknown of ["GPU-unknown", "constructor"]) {
    const refusal = await change({ [unknown]: "x" });
    assert.match(refusal.text, new RegExp(`names the GPU ${unknown}, which the machine never had`));
  }
  const gpu = async (...args: string[]) =>
    (await freehold(["gpus", ...args, "--data", service.dataFolder])).stdout;
  const [pod = ""] = device.workloads;
  const line = `GPU 1  ${device.uuid}  NVIDIA A40`;
  assert.match(await gpu("devices"), new RegExp(`^\\w+  ${line}  in use; ${pod}$`, "m"));
  const printed = await gpu("cordon", device.uuid, "--reason", "fan noise");
  assert.match(printed, new RegExp(`^\\w+  ${line}  cordoned: fan noise; ${pod}\n$`));
  assert.equal((await service.call("GET", `/v1/why/${pod}`)).json.code, "pod_running");
  await service.call("DELETE", `/v1/pods/${pod}`);
  const refused = await service.call("POST", "/v1/pods", gpuPod);
  assert.match(refused.text, /GPU 1: it is cordoned: fan noise; uncordon it/);
  const { gpuDevices: after, unhealthyGpus } = await machine();
  const states = after.map(({ state, cordonReason }) => [state, cordonReason]);
  assert.deepEqual(states, [
    ["in_use", undefined],
    ["cordoned", "fan noise"],
  ]);
  assert.partialDeepStrictEqual(unhealthyGpus, [{ number: 1, code: "cordoned" }]);
  const { json: log } = await service.call("GET", "/v1/audit");
  assert.match(JSON.stringify(log), /updateMachine/);
  assert.equal((await change({ [device.uuid]: null })).status, 200);
  assert.equal((await service.call("POST", "/v1/pods", gpuPod)).status, 201);
}

/** An error of a program is an event of its Pod; one of the GPU keeps new work away until the operator returns it. */
async function quarantined({ service, kernelLog, machine }: Fixture) {
  const { id, gpuDevices } = await machine();
  const { uuid, workloads } = gpuDevices.find(({ number }) => number === 1)!;
  const [pod = ""] = workloads;
  const events = async (): Promise<{ event: string; message: string }[]> =>
    (await service.call("GET", `/v1/pods/${pod}/events`)).json;
  const why = async () => (await service.call("GET", `/v1/why/${pod}`)).json;
  await until(podsOf(service).reached, pod);
  kernelLog.log(xidLine(1, "31, pid=7, name=python3, Ch 00000008, MMU Fault"));
  await until(async () => (await events())[0]?.event === "gpu_error");
  assert.match((await events())[0]!.message, /^Xid 31: a memory page fault \(pid=7, name=python3/);
  const afterFault = await why();
  assert.equal(afterFault.code, "pod_running");
  assert.match(afterFault.sentence, /Xid 31 at .*NVIDIA recommends: restart the application\.$/);
  assert.equal((await machine()).unhealthyGpus, undefined);

  kernelLog.log(xidLine(1, "79, pid=7, name=python3, GPU has fallen off the bus."));
  await until(async () => (await machine()).unhealthyGpus?.length === 1);
  const states = async () => (await machine()).gpuDevices.map(({ state }) => state);
  assert.deepEqual(await states(), ["in_use", "quarantined"]);
  assert.equal((await events())[0]?.event, "gpu_unhealthy");
  const reason =
    /GPU 1: it is in quarantine since \d.*: Xid 79: it has fallen off the bus; restart the/;
  const afterLoss = await why();
  assert.equal(afterLoss.code, "pod_gpu_unhealthy");
  assert.match(afterLoss.sentence, reason);
  await service.call("DELETE", `/v1/pods/${pod}`);
  assert.match((await service.call("POST", "/v1/pods", gpuPod)).text, reason);
  const metrics = (await service.call("GET", "/metrics")).text;
  assert.match(
    metrics,
    new RegExp(`^freehold_gpus_unhealthy{machine="${id}",code="xid_79"} 1$`, "m"),
  );
  const cli = async (...args: string[]) =>
    (await freehold([...args, "--data", service.dataFolder])).stdout;
  const line = `GPU 1  ${uuid}  NVIDIA A40  quarantined: Xid 79: it has fallen off the bus`;
  assert.match(await cli("machine", "gpus", id), new RegExp(`^${line}; restart the machine$`, "m"));
  assert.match(await cli("doctor"), /GPU 1 is in quarantine since .*: Xid 79/);
  assert.match(await cli("gpus", "uncordon", uuid), /NVIDIA A40 {2}free\n$/);
  assert.equal((await machine()).unhealthyGpus, undefined);
  assert.equal((await service.call("POST", "/v1/pods", gpuPod)).status, 201);
}

/** What a reading shows is a notice, and a counter of memory errors that rises puts the GPU in quarantine. */
async function withMemoryErrors({ service, folder, machine }: Fixture) {
  const read = async (errors: number) => {
    const ecc = { "ecc_errors/volatile/dram_uncorrectable": `${errors}` };
    const values = { ...ecc, persistence_mode: "Disabled" };
    writeNvidiaSmi(folder, [A40(0), { index: 1, values }]);
    await advance(service, "6m");
  };
  await read(0);
  await until(async () => (await machine()).notices?.length === 1);
  const { id, notices, unhealthyGpus } = await machine();
  assert.match(notices!.join(), /GPU 1: .*persistence mode is off/);
  assert.equal(unhealthyGpus, undefined);
  await read(2);
  await until(async () => (await machine()).unhealthyGpus?.length === 1);
  const { gpuDevices, notices: after } = await machine();
  assert.match(after!.join(), /GPU 1: .* 2 uncorrectable errors since the driver was loaded/);
  assert.partialDeepStrictEqual(gpuDevices[1]?.quarantine, {
    code: "ecc_uncorrectable",
    reason: "its memory had 2 uncorrectable errors since the reading before",
  });
  // Ten clean minutes bring it back.
  await until(async () => {
    await advance(service, "1m");
    return (await machine()).unhealthyGpus === undefined;
  });
  const known = (await service.service.store.read(knownMachines)).find(
    ({ machine }) => machine === id,
  );
  assert.equal(known?.gpuHealth.returns?.[uuidOf(A40(1))]?.length, 1);
}

/** The driver numbers the rest anew; each Pod keeps its card's number. */
async function renumbered({ service, folder, machine }: Fixture) {
  const uuid = uuidOf(A40(1));
  writeNvidiaSmi(folder, [{ index: 0, uuid }]);
  await advance(service, "6m");
  await until(async () => (await machine()).gpus[0]?.count === 1);
  const { json: pods } = await service.call("GET", "/v1/pods");
  const codes = await Promise.all(
    pods.map(async ({ id }: { id: string }) => {
      const { code, sentence } = (await service.call("GET", `/v1/why/${id}`)).json;
      return code === "pod_gpu_lost" ? sentence : code;
    }),
  );
  assert.match(codes.toSorted()[0], /its GPU 0 cannot be read any more/);
  assert.equal(codes.toSorted()[1], "pod_running");
}

/** A dead driver after a restart: the recorded GPUs are there, and none is given away. */
async function restarted(t: TestContext, { service, folder, kernelLog, env, machine }: Fixture) {
  kernelLog.log(xidLine(0, "48, DBE"));
  await until(async () => (await machine()).unhealthyGpus?.length === 1);
  writeScenario(folder, { driver: "version_mismatch", gpus: [] });
  await service.stop();
  const again = await startService(t, {
    drivers: "simulated",
    dataFolder: service.dataFolder,
    replicas: null,
    env,
  });
  const { id, gpus, unhealthyGpus } = (await again.call("GET", "/v1/machines")).json[0];
  assert.deepEqual([gpus[0].count, gpus[0].free], [1, 0]);
  assert.partialDeepStrictEqual(unhealthyGpus, [
    { number: 1, uuid: uuidOf(A40(1)), code: "xid_48" },
    { number: 1, uuid: uuidOf(A40(1)), code: "stale" },
  ]);
  const end = { cordonedGpus: { [uuidOf(A40(1))]: null } };
  const { unhealthyGpus: others } = (await again.call("PATCH", `/v1/machines/${id}`, end)).json;
  assert.partialDeepStrictEqual(others, [{ code: "stale" }]);
  await again.stop();
}
