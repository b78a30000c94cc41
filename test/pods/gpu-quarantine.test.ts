// A GPU in quarantine, with what runs on it: a worker's jobs run elsewhere, and a Pod stops if the operator says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../src/domain/gpu/checks.ts";
import { finishJob } from "../../src/transactions/job/finish.ts";
import { recordGpuErrors } from "../../src/transactions/machine/gpus/record-gpu-errors.ts";
import { type KernelLogFile, xidLine } from "../fixtures/gpu/kernel-log.ts";
import { A40, LOST, uuidOf, writeNvidiaSmi } from "../fixtures/gpu/nvidia-smi.ts";
import { standIns } from "../fixtures/gpu/stand-ins.ts";
import { advance } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

type Service = Awaited<ReturnType<typeof simulatedService>>;

const gpuPod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

test("a job on a GPU that fails runs on another one, and its retry policy counts no attempt", async (t) => {
  const { folder, kernelLog } = standIns(t);
  const service = await simulatedService(t, {
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      FREEHOLD_KERNEL_LOG: kernelLog.file,
      FREEHOLD_GPU_CHECKS: '{"quarantinedPods": "stop"}',
    },
  });
  // The job runs for longer than a loaded machine takes to notice the error.
  const dockerStartCmd = ["simulate", "--job-ms", "8000"];
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
    isServerless: true,
    driver: "simulated",
    dockerStartCmd,
  });
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    templateId: template.id,
    gpuTypeIds: ["NVIDIA A40"],
    workersMax: 1,
  });
  const run = { input: {}, policy: { retry: { maxAttempts: 1 } } };
  const { json: job, text } = await service.call("POST", `/v2/${endpoint.id}/run`, run);
  assert.ok(job.id, text);
  const status = async () =>
    (await service.call("GET", `/v2/${endpoint.id}/status/${job.id}`)).json;
  await until(async () => (await status()).status === "IN_PROGRESS");
  const devices = async (): Promise<{ number: number; workloads: string[] }[]> =>
    (await service.call("GET", "/v1/machines")).json[0].gpuDevices;
  const { number, workloads } = (await devices()).find((each) => each.workloads.length > 0)!;
  kernelLog.log(xidLine(number, "48, DBE (double bit error) ECC error"));
  await until(async () => (await status()).status === "COMPLETED");
  assert.notEqual((await status()).workerId, workloads[0]);
  const { sentence } = (await service.call("GET", `/v1/why/${workloads[0]}`)).json;
  assert.match(
    sentence,
    /because its GPU \d is out of service since \S+: Xid 48: an uncorrectable memory error/,
  );
  const why = (await service.call("GET", `/v1/why/${job.id}`)).json;
  assert.match(
    why.sentence,
    new RegExp(
      `GPU ${number} of worker ${workloads[0]} reported Xid 48 at \\S+: .*recommends: reset`,
    ),
  );
  const [{ outcome }] = why.evidence.attempts;
  assert.match(outcome, new RegExp(`held the job: its GPU ${number} is out of service since`));
  await failedOnQuarantinedGpu(service, endpoint.id);
  await stoppedByQuarantine(service, kernelLog, endpoint.id);
});

test("a job on a GPU that is lost without an error in a log runs on another one, and a Pod stops", async (t) => {
  const { folder, env } = standIns(t);
  const gpus = [0, 1, 2];
  writeNvidiaSmi(folder, gpus.map(A40));
  const FREEHOLD_GPU_CHECKS = '{"quarantinedPods": "stop"}';
  const service = await simulatedService(t, {
    env: { ...env, FREEHOLD_KERNEL_LOG: "off", FREEHOLD_GPU_CHECKS },
    replicas: null,
  });
  const { json: pod } = await service.call("POST", "/v1/pods", gpuPod);
  await until(podsOf(service).reached, pod.id);
  const dockerStartCmd = ["simulate", "--job-ms", "3600000"];
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
    isServerless: true,
    driver: "simulated",
    dockerStartCmd,
  });
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    templateId: template.id,
    gpuTypeIds: ["NVIDIA A40"],
    workersMax: 1,
  });
  const policy = { executionTimeout: 7_200_000, retry: { maxAttempts: 1 } };
  const { json: job } = await service.call("POST", `/v2/${endpoint.id}/run`, { input: {}, policy });
  const read = async () => (await service.call("GET", `/v1/jobs/${job.id}`)).json;
  await until(async () => (await read()).status === "IN_PROGRESS");
  const { workerId } = await read();
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const held = (await machine()).gpuDevices.filter(
    ({ workloads }: { workloads: string[] }) => workloads.length > 0,
  );
  const numbers: number[] = held.map(({ number }: { number: number }) => number);
  writeNvidiaSmi(
    folder,
    gpus.map((number) => (numbers.includes(number) ? LOST(number) : A40(number))),
  );
  await advance(service, "6m");
  await until(async () => (await machine()).trouble !== undefined);
  await advance(service, "15s");
  await until(async () => {
    const { status, workerId: other } = await read();
    return status === "IN_PROGRESS" && other !== workerId;
  });
  const [{ outcome }] = (await read()).attempts;
  assert.match(
    outcome,
    /its GPU \d is out of service since \S+: its driver has it no longer \(nvidia-smi: /,
  );
  const { code, sentence } = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(code, "pod_gpu_quarantined", sentence);
});

/** The error that a program posts of a GPU in quarantine fails no job, though its policy allows one attempt. */
async function failedOnQuarantinedGpu(service: Service, endpointId: string) {
  const run = { input: {}, policy: { retry: { maxAttempts: 1 } } };
  const { json: job } = await service.call("POST", `/v2/${endpointId}/run`, run);
  const read = async () => (await service.call("GET", `/v1/jobs/${job.id}`)).json;
  await until(async () => (await read()).status === "IN_PROGRESS");
  const { workerId } = await read();
  const { id: machine, gpuDevices } = (await service.call("GET", "/v1/machines")).json[0];
  const { number } = gpuDevices.find(({ workloads }: { workloads: string[] }) =>
    workloads.includes(workerId),
  );
  const now = Date.now();
  const line = { kind: "xid", pci: `0000:0${number + 1}:00`, code: 79, detail: "" } as const;
  const log = { boot: "another", openedAt: now, lines: [{ seq: 1, at: now, line }] };
  const post = { jobId: job.id, endpointId, workerId, now, output: null, draw: 0, bytes: 0 };
  await service.service.store.write(function* () {
    yield* recordGpuErrors(machine, log, { now, limits: defaultLimits });
    return yield* finishJob({ ...post, error: "CUDA error: unknown error", awaited: false });
  });
  const { status, retries, attempts } = await read();
  assert.deepEqual([status, retries], ["IN_QUEUE", 0]);
  assert.match(attempts[0].outcome, /its handler failed: CUDA error/);
}

/** Where the operator has Pods stopped, one whose GPU fails stops, and starts again on another GPU. */
async function stoppedByQuarantine(service: Service, kernelLog: KernelLogFile, endpointId: string) {
  assert.equal((await service.call("DELETE", `/v1/endpoints/${endpointId}`)).status, 204);
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const { id: machineId } = await machine();
  const cordonedGpus = { [uuidOf(A40(0))]: null, [uuidOf(A40(1))]: null };
  await service.call("PATCH", `/v1/machines/${machineId}`, { cordonedGpus });
  await until(async () => (await machine()).gpus[0].free === 2);
  const { json: pod } = await service.call("POST", "/v1/pods", gpuPod);
  await until(podsOf(service).reached, pod.id);
  const numberOf = async () =>
    (await machine()).gpuDevices.find(({ workloads }: { workloads: string[] }) =>
      workloads.includes(pod.id),
    )?.number;
  const number = await numberOf();
  kernelLog.log(xidLine(number, "79, GPU has fallen off the bus."));
  const read = async () => (await service.call("GET", `/v1/pods/${pod.id}`)).json;
  await until(async () => (await read()).desiredStatus === "EXITED");
  const { code, sentence } = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(code, "pod_gpu_quarantined");
  assert.match(sentence, new RegExp(`its GPU ${number} is out of service since \\S+: Xid 79`));
  assert.equal(await numberOf(), undefined);
  assert.equal((await service.call("POST", `/v1/pods/${pod.id}/start`)).status, 200);
  assert.equal(await numberOf(), 1 - number);
}
