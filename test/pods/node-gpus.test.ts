// Tests of what the workloads of a cluster's node hear of their GPUs.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { GpuLimits } from "../../src/domain/gpu/checks.ts";
import { manageLeadership } from "../../src/domain/machine/remote.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { acquireLeadership } from "../../src/store/leadership/leadership.ts";
import { systemLines } from "../../src/store/log/system-log.ts";
import { findPod } from "../../src/store/pod/row.ts";
import { insertRemote } from "../../src/store/remote-machine/remote-machine.ts";
import { findWorker } from "../../src/store/worker/worker.ts";
import { heartbeatNode } from "../../src/transactions/replica/heartbeat-node.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { machineWith, rentPod } from "../conformance/store/pod/pod.ts";

/** A node "m" with a Pod "p" and a worker "w", and what it reports. */
async function node(t: TestContext, quarantinedPods: GpuLimits["quarantinedPods"] = "keep") {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-node-gpus-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const offer = { declared: {}, simulatedGpus: {}, gpus: {}, publicIp: null };
  const unset = { hostKey: null, wayBackPort: null, trouble: null };
  const cluster = { id: "k", name: "", address: "kubernetes://k", secrets: "", addedAt: 1 };
  await store.write(insertRemote, { ...cluster, offer, ...unset });
  await store.write(acquireLeadership, manageLeadership("k"), "r", now, 1_000);
  const machine = machineWith("m", ["simulated"]);
  const report = (unhealthyGpus: Record<string, string[]>, healthy: string[] = []) => {
    const trouble = Object.keys(unhealthyGpus).length > 0 && { gpuTrouble: "1 of 4" };
    const inventory = {
      ...machine.inventory,
      ...trouble,
      node: { remote: "k", name: "n1", unhealthyGpus },
    };
    const at = { now, limits: { quarantinedPods } };
    const leader = { remoteId: "k", replicaId: "r" };
    return store.write(heartbeatNode, { ...machine, inventory }, healthy, leader, at);
  };
  assert.equal(await report({}), true);
  await store.write(rentPod, "p", now);
  const heard = async (id: string) =>
    (await store.read(systemLines, id, { tail: 100, since: 0, after: 0 })).map(({ line }) => line);
  return { store, report, heard };
}

test("a Pod hears once that one of its GPUs is unhealthy, and that it is healthy again", async (t) => {
  const { store, report, heard } = await node(t);
  const before = (await heard("p")).length;
  await report({ p: ["GPU-a"] });
  await report({ p: ["GPU-a"] });
  await report({ p: ["GPU-a", "GPU-b"] });
  // A container that ends says nothing of its GPU.
  await report({});
  await report({ p: ["MIG-a"] });
  await report({}, ["p"]);
  await report({}, ["p"]);
  const reason = "the device plugin of its node reports it as unhealthy";
  assert.deepEqual((await heard("p")).slice(before), [
    `its GPU GPU-a is out of service: ${reason}`,
    `its GPU GPU-b is out of service: ${reason}`,
    `its MIG device MIG-a is out of service: ${reason}`,
    "its MIG device MIG-a can be used again",
  ]);
  assert.equal((await store.read(findPod, "p"))?.desired.state, "RUNNING");
});

test("a worker with an unhealthy GPU ends; a Pod is stopped where the operator says so", async (t) => {
  const { store, report, heard } = await node(t, "stop");
  await report({ p: ["GPU-a"], w: ["GPU-b", "GPU-c"] });
  const { state, cause, reason } = (await store.read(findPod, "p"))!.desired;
  assert.deepEqual([state, cause], ["EXITED", "gpu_quarantined"]);
  assert.match(reason!, /^its GPU GPU-a is out of service/);
  const worker = await store.read(findWorker, "w");
  assert.equal(worker?.desired, "end");
  assert.match(
    (await heard("w")).at(-1)!,
    /^is to end: its GPUs GPU-b, GPU-c are out of service: .* reports them as unhealthy/,
  );
});
