// Tests of kills under load: everything acknowledged must be stored. This is the short form; the
// full one is test/crash/full.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { report } from "./report.ts";
import { crashRun } from "./run.ts";

test("twelve kills under load lose nothing that was acknowledged", async (t) => {
  const outcome = await crashRun({ kills: 12, jobs: 1_500 });
  t.diagnostic(report(outcome));
  assert.deepEqual(outcome.verdict.broken, []);
});
