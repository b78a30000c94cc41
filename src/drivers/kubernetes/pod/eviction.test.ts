// Tests of the ends that Kubernetes decides.

import assert from "node:assert/strict";
import { test } from "node:test";
import { evictionIn } from "./eviction.ts";

test("an eviction differs from other ends, and has its cause", () => {
  const condition = (reason: string, status = "True") => ({
    conditions: [{ type: "DisruptionTarget", status, reason, message: "" }],
  });
  const evicted = (message: string) => ({ reason: "Evicted", message });
  const table: [status: Parameters<typeof evictionIn>[0], cause: string | undefined][] = [
    [
      evicted("Pod ephemeral local storage usage exceeds the total limit of containers 1G. "),
      "disk_full",
    ],
    [evicted('Container main exceeded its local ephemeral storage limit "1G". '), "disk_full"],
    [evicted('Usage of EmptyDir volume "shm" exceeds the limit "1Gi". '), "disk_full"],
    [evicted("The node was low on resource: memory. Threshold quantity: 100Mi"), "evicted"],
    [evicted("The node was low on resource: ephemeral-storage. "), "evicted"],
    [condition("PreemptionByScheduler"), "evicted"],
    [condition("EvictionByEvictionAPI"), "evicted"],
    [condition("PreemptionByScheduler", "False"), undefined],
    [condition("DeletionByPodGC"), undefined],
    [{ reason: "DeadlineExceeded" }, undefined],
    [{}, undefined],
  ];
  assert.match(evictionIn({}, true)!.sentence, /was deleted/);
  assert.match(evictionIn(condition("PreemptionByScheduler"), true)!.sentence, /higher priority/);
  for (const [status, cause] of table) {
    assert.equal(evictionIn(status, false)?.cause, cause, JSON.stringify(status));
  }
});
