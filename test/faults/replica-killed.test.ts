// Tests of replicas that are killed, or stand still, in turn under load: everything acknowledged is kept, and the
// remaining replica takes over shared work.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../crash/connection.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { freshDatabase, missing } from "../postgres/database.ts";
import { ledgerErrors, startPod } from "./ledger.ts";
import { underLoad } from "./scene.ts";

test("six kills of one of two replicas lose nothing that was acknowledged", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const { verdict, said } = await underLoad(t, {
    url,
    jobs: 900,
    async trouble({ replicas }) {
      for (let n = 0; n < 6; n++) {
        const victim = replicas[n % 2]!;
        await pauseMs(100 + Math.random() * 300);
        await victim.kill();
        await pauseMs(Math.random() * 500);
        await victim.start();
      }
    },
  });
  assert.deepEqual(verdict.broken, []);
  assert.equal(said, "");
});

/** Longer than a job's lease, a heartbeat's, and the silence that loses a machine. */
const FROZEN_MS = 6_000;

test("replicas that stand still for longer than each lease lose nothing, and the other one serves", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const { verdict } = await underLoad(t, {
    url,
    jobs: 600,
    async trouble(scene) {
      const { replicas, seeded } = scene;
      const pod = await startPod(scene);
      for (const n of [0, 1]) {
        const other = new Connection(Number(new URL(replicas[1 - n]!.origin).port));
        replicas[n]!.freeze();
        const thawed = pauseMs(FROZEN_MS).then(() => replicas[n]!.thaw());
        const ask = { method: "GET" as const, path: "/v1/pods", key: seeded.key };
        assert.equal((await other.insist(ask))?.status, 200);
        await thawed;
      }
      await pod.delete();
    },
  });
  assert.deepEqual(verdict.broken, []);
  assert.deepEqual(await ledgerErrors(url), []);
});
