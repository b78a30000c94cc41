// Tests of replicas that are killed in turn under load: everything acknowledged is kept, and the
// remaining replica takes over shared work.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseMs } from "../fixtures/time/pace.ts";
import { freshDatabase, missing } from "../postgres/database.ts";
import { underLoad } from "./scene.ts";

test("six kills of one of two replicas lose nothing that was acknowledged", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const { verdict, said } = await underLoad(t, {
    url,
    jobs: 1_500,
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
