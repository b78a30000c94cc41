// torchrun over two machines: the ranks of a cluster's Pods find each other by what the platform sets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { docker, skipReason } from "../fixtures/docker/engine.ts";
import { FABRIC_GPU, startFabricService } from "../fixtures/docker/fabric-service.ts";
import { until } from "../fixtures/until.ts";

const IMAGE = "freehold-test-torch:1";
const LIBRARIES = "/usr/lib/x86_64-linux-gnu";
const IMAGE_ENV = `PATH=/usr/bin:/bin LD_LIBRARY_PATH=${LIBRARIES}/blas:${LIBRARIES}/lapack`;

const JOB = `import torch, torch.distributed as dist
dist.init_process_group("gloo")
rank = dist.get_rank()
total = torch.tensor([10.0**rank])
dist.all_reduce(total)
print(f"rank {rank} of {dist.get_world_size()}: {total.item():.0f}", flush=True)
dist.barrier()
`;
/** This PyTorch cannot read its own defaults with Python 3.11; rank 7 does not exist, so nothing is redirected. */
const DEFAULTS = "--redirects=7:1 --tee=7:1";
const LAUNCH = `printf '%s' "$JOB" > /job.py
exec torchrun --nnodes=$NUM_NODES --node_rank=$NODE_RANK --nproc_per_node=2 \\
  --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT ${DEFAULTS} /job.py`;

/** The archive of the image, or why there is none. */
function torchRoot(): { archive: string } | { missing: string } {
  const script = path.join(import.meta.dirname, "..", "fixtures", "docker", "torch-root");
  try {
    return { archive: execFileSync(script, [], { encoding: "utf8" }).trim() };
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    return { missing: `it needs PyTorch from Debian's packages: ${stderr.slice(-200)}` };
  }
}

const noRoot = process.getuid?.() !== 0 && "only root can start engines";

test("a two-machine torchrun adds up what all ranks hold", {
  skip: skipReason || noRoot,
}, async (t) => {
  const root = torchRoot();
  if ("missing" in root) {
    // In CI a skipped test would go unnoticed.
    if (process.env.CI) throw new Error(root.missing);
    return t.skip(root.missing);
  }
  const { service, addMachine, joined, logOf } = await startFabricService(t, (host) => {
    docker(host, "import", "--change", `ENV ${IMAGE_ENV}`, root.archive, IMAGE);
  });
  const machines = [await addMachine(0), await addMachine(1)];
  await joined();
  const created = await service.call("POST", "/v2/clusters", {
    name: "training",
    type: "TRAINING",
    compute: { gpuTypeId: FABRIC_GPU, gpuCountPerPod: 1, podCount: 2 },
    image: IMAGE,
    entrypoint: ["sh", "-c", LAUNCH],
    env: { JOB },
    disk: 1,
  });
  assert.equal(created.status, 201, created.text);
  const path = `/v2/clusters/${created.json.id}`;
  const { pods } = (await service.call("GET", `${path}/pods`)).json;
  const places = new Set<string>();
  for (const [node, { id }] of pods.entries()) {
    const ranks = [node * 2, node * 2 + 1].map((rank) => `rank ${rank} of 4: 1111`);
    await until(async () => {
      const log = await logOf(id);
      assert.doesNotMatch(log, /Traceback/);
      return ranks.every((line) => log.includes(line)) ? 1 : null;
    });
    places.add((await service.call("GET", `/v1/pods/${id}`)).json.machineId);
  }
  assert.deepEqual([...places].toSorted(), machines.toSorted());
  assert.equal((await service.call("DELETE", path)).status, 204);
});
