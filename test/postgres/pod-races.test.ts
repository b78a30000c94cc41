// Races for GPUs: two replicas rent, stop and delete Pods on the same machines. No GPU has two holders, and none
// is lost.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Pod } from "../../src/domain/pod/pod.ts";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { podsOf } from "../../src/store/pod/row.ts";
import { gpuMachine, moveOf, rentPod } from "../conformance/store/pod/pod.ts";
import { missing } from "./database.ts";
import { accountOn, race, twoReplicas } from "./replicas.ts";

const GPUS = 4;
const ROUNDS = 12;

function* gpuHolders(): Tx<{ gpu: number; holder: string }[]> {
  return yield* rows("select gpu, holder from held_gpu order by gpu");
}

describe("races for GPUs", { skip: missing }, () => {
  test("each GPU has one holder", async (t) => {
    const replicas = await twoReplicas(t);
    const [a] = replicas;
    const { id: accountId } = await accountOn(a);
    const now = a.clock.now();
    for (const machine of ["m1", "m2"]) await gpuMachine(a.store, machine, now);
    let calls = 0;
    for (let n = 0; n < ROUNDS; n++) {
      const running: Pod[] = (await a.store.read(podsOf, accountId)).filter(
        ({ desired: { state } }) => state === "RUNNING",
      );
      const rents = Array.from({ length: 10 }, (_, k) => {
        const { store } = replicas[k % 2]!;
        return store.write(rentPod, `p${n}-${k}`, now, { accountId });
      });
      const moves = running.slice(0, 5).map(({ id }, k) => {
        const { store } = replicas[k % 2]!;
        return store.write(moveOf, id, k % 2 === 0 ? "stop" : "delete", now);
      });
      calls += rents.length + moves.length;
      const { refused } = await race<unknown>([...rents, ...moves]);
      assert.deepEqual(refused, []);
      const pods = (await a.store.read(podsOf, accountId)).filter(
        ({ desired: { state } }) => state === "RUNNING",
      );
      const held = pods.flatMap(({ id, placement: { machine, gpus } }) =>
        gpus.map((gpu) => `${machine} ${gpu} ${id}`),
      );
      const places = held.map((each) => each.split(" ").slice(0, 2).join(" "));
      assert.equal(new Set(places).size, places.length);
      assert.equal((await a.store.read(gpuHolders)).length, held.length);
      assert.ok(places.length <= 2 * GPUS);
    }
    t.diagnostic(`${calls} calls`);
  });
});
