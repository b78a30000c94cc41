// A GPU that the driver loses while a Pod uses it, and that comes back.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { A40, LOST, RESET, writeNvidiaSmi } from "../fixtures/gpu/nvidia-smi.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const gpuPod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

test("a lost GPU is not offered, and its Pod, its machine and the operator say so", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpus-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeNvidiaSmi(folder, [A40(0), A40(1)]);
  const service = await simulatedService(t, {
    replicas: null,
    protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
    env: { ...virtual.env, PATH: `${folder}:${process.env.PATH}` },
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

  writeNvidiaSmi(folder, [A40(0), LOST(1)]);
  await advance(service, "6m");
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  await until(async () => (await machine()).trouble === "nvidia-smi: GPU 1: GPU is lost");
  assert.deepEqual((await machine()).gpus[0].count, 1);
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
  await outOfService({ service, folder, machine, pod: affected, lastEvent });
});

interface Fixture {
  service: Awaited<ReturnType<typeof simulatedService>>;
  folder: string;
  machine: () => Promise<{ gpus: { count: number }[]; unhealthyGpus?: object[] }>;
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
