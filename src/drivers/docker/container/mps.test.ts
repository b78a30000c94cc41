// Tests of how containers reach the MPS daemon of their machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Workload } from "../../driver.ts";
import { startError } from "../engine-error.ts";
import { libpodSpec } from "../podman/libpod-spec.ts";
import { containerSpec } from "./container-spec.ts";

const context = {
  owner: { machine: "own", installation: "i" },
  image: "acme/tool:1",
  network: "n",
  publishOn: "127.0.0.1",
  canLimitDisk: false,
  cpuCount: null,
} as unknown as Parameters<typeof containerSpec>[1];

const workload = (resources: Workload["resources"]): Workload =>
  ({
    id: "pod1",
    image: "acme/tool:1",
    entrypoint: [],
    command: [],
    env: { CUDA_MPS_PINNED_DEVICE_MEM_LIMIT: "0=999G", A: "b" },
    resources,
  }) as unknown as Workload;

const gpus = { gpuIndices: [3, 5], gpuUuids: ["GPU-a", "GPU-b"] };

test("a container on shares of MPS gets its pipes and limits, and others get neither", () => {
  const mpsLimits = { memoryInGb: 20, computePercent: 25 };
  const spec = containerSpec(workload({ ...gpus, mpsLimits }), context);
  assert.deepEqual(spec.Env?.toSorted(), [
    "A=b",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=25",
    "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=20G,1=20G",
    "CUDA_MPS_PIPE_DIRECTORY=/tmp/nvidia-mps",
  ]);
  const { IpcMode, ShmSize, Mounts } = spec.HostConfig!;
  // Podman refuses a container with a size of the machine's shared memory.
  assert.deepEqual([IpcMode, ShmSize], ["host", undefined]);
  const folder = "/tmp/nvidia-mps";
  assert.deepEqual(Mounts, [{ Type: "bind", Source: folder, Target: folder }]);
  const podman = libpodSpec(spec);
  assert.deepEqual([podman.ipcns, podman.shm_size], [{ nsmode: "host" }, undefined]);
  assert.deepEqual(podman.mounts, [
    { type: "bind", source: folder, destination: folder, options: ["rbind", "rprivate", "rw"] },
  ]);
  const plain = containerSpec(workload(gpus), context);
  assert.deepEqual(plain.Env, ["CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=999G", "A=b"]);
  assert.deepEqual([plain.HostConfig?.IpcMode, plain.HostConfig?.Mounts], [undefined, []]);
  assert.deepEqual([libpodSpec(plain).ipcns, libpodSpec(plain).shm_size], [undefined, 2 ** 30]);
});

test("a machine without the pipes of a daemon says so, in the words of each engine", () => {
  const texts = [
    'invalid mount config for type "bind": bind source path does not exist: /tmp/nvidia-mps',
    "statfs /tmp/nvidia-mps: no such file or directory",
    "crun: cannot stat `/tmp/nvidia-mps`: No such file or directory: OCI runtime attempted to invoke a command that was not found",
  ];
  for (const text of texts) {
    const { message } = startError("acme/tool:1", text, (words) => words, 500);
    assert.match(message, /^no MPS daemon runs on this/);
  }
});
