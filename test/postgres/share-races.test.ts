// Races for a GPU between two replicas: they rent it, whole or in shares, while the operator changes its layout.

import assert from "node:assert/strict";
import { test } from "node:test";
import { shareNumbers } from "../../src/domain/gpu-share/gpu-share.ts";
import { heldGpus } from "../../src/store/held-gpu/held-gpu.ts";
import { podsOf } from "../../src/store/pod/row.ts";
import { lockUpkeep } from "../../src/store/replica/upkeep.ts";
import { saveMachineChanges } from "../../src/transactions/machine/change.ts";
import { enterReplica } from "../../src/transactions/replica/membership.ts";
import { machineWith, moveOf, rentPod } from "../conformance/store/pod/pod.ts";
import { missing } from "./database.ts";
import { accountOn, race, twoReplicas } from "./replicas.ts";

const ROUNDS = 10;
const QUARTERS = { count: 4, memoryInGb: 10 };

test("a GPU is rented whole or in shares, and no share twice", { skip: missing }, async (t) => {
  const replicas = await twoReplicas(t);
  const [a, b] = replicas;
  const { id: accountId } = await accountOn(a);
  const now = a.clock.now();
  const machine = machineWith("m", ["simulated"]);
  const gpus = [{ gpuTypeId: "NVIDIA A40", memoryMb: 46_068, virtual: false, indices: [0] }];
  const inventory = { ...machine.inventory, gpus, gpuNumbers: { "GPU-a": 0 } };
  await a.store.write(enterReplica, { ...machine, inventory }, now);
  const counts = new Set<number>();
  for (let n = 0; n < ROUNDS; n++) {
    const layout = n % 2 === 0 ? QUARTERS : null;
    const change = { shares: { "GPU-a": layout } };
    const divide = b.store.write(saveMachineChanges, accountId, "m", change, now);
    const rents = Array.from({ length: 8 }, (_, k) =>
      replicas[k % 2]!.store.write(rentPod, `p${n}-${k}`, now, { accountId }),
    );
    const { refused } = await race<unknown>([divide, ...rents]);
    assert.deepEqual(refused, []);
    const { sharedGpus = {} } = (await a.store.write(lockUpkeep, "m")) ?? {};
    const offered = sharedGpus["GPU-a"] ? shareNumbers(0, QUARTERS) : [0];
    const held = (await a.store.read(heldGpus, "m")).map(({ gpu }) => gpu);
    assert.deepEqual(held.toSorted(), offered);
    counts.add(held.length);
    for (const { id } of await a.store.read(podsOf, accountId)) {
      await a.store.write(moveOf, id, "delete", now);
    }
    await a.store.write(
      saveMachineChanges,
      accountId,
      "m",
      { shares: { "GPU-a": n % 4 === 1 ? null : layout } },
      now,
    );
  }
  t.diagnostic(`GPUs held at once: ${[...counts].join(", ")}`);
});
