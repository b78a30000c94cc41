import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ledger } from "../../../test/samples/fleet.ts";
import {
  type BackOffInput,
  decideBackOff,
  permittedStarts,
  type WorkerEnd,
} from "./crash-loop-back-off.ts";

// An end is "when:life" in seconds and what it was: crash, served, asked (to end), old (version).
// "allow" is the second from which a start is allowed again.
const examples = `
ends                                               | tries | verdict     | allow | because
-                                                  | 0     | ok          | 0     | nothing ended
10:2 crash                                         | 1     | backing_off | 11    | 1 s after the first
10:2 crash, 13:1 crash                             | 2     | backing_off | 15    | 2 s after the second
10:2 crash, 13:1 crash, 16:1 crash                 | 3     | crash_loop  | 20    | then it is a loop
1:1 crash, 3:1 crash, 6:1 crash, 11:1 crash, 20:1 crash, 37:1 crash | 6 | crash_loop | 69 | 32 s
1:1 crash, 3:1 crash, 6:1 crash, 11:1 crash, 20:1 crash, 37:1 crash, 70:1 crash | 7 | crash_loop | 134 | 64 s
1:1 crash, 3:1 crash, 6:1 crash, 11:1 crash, 20:1 crash, 37:1 crash, 70:1 crash, 135:1 crash, 264:1 crash, 521:1 crash | 10 | crash_loop | 821 | 5 minutes at most
10:2 crash, 10:2 crash, 11:3 crash                 | 1     | backing_off | 12    | started together
10:9 crash, 30:29 crash, 12:1 crash                | 2     | backing_off | 32    | the slow one is no third try
10:2 crash, 13:1 crash, 20:5 served                | 0     | ok          | 0     | one served: proven
10:2 crash, 20:5 served, 25:2 crash                | 1     | backing_off | 26    | counted from there on
10:2 crash, 13:1 asked                             | 1     | backing_off | 11    | we asked for that end
10:2 old, 13:1 old, 16:1 old                       | 0     | ok          | 0     | another version
16:1 crash, 10:2 crash, 13:1 crash                 | 3     | crash_loop  | 20    | any order will do
`;

for (const row of ledger<Record<string, string>>(examples)) {
  test(`${row.ends}: ${row.because}`, () => {
    const crashBackOff = decideBackOff({ version: 2, ends: endsOf(row.ends!), lastServedAt: null });
    assert.deepEqual(crashBackOff, {
      allowStartAt: Number(row.allow) * 1_000,
      consecutive: Number(row.tries),
      verdict: row.verdict,
    });
  });
}

test("a living worker that finished a job proves the version as well", () => {
  const ends = endsOf("10:2 crash, 13:1 crash, 16:1 crash");
  assert.equal(decideBackOff({ version: 2, ends, lastServedAt: 15_000 }).consecutive, 1);
  assert.equal(decideBackOff({ version: 2, ends, lastServedAt: 16_000 }).verdict, "ok");
});

test("exit code 0 without a finished job is a failed try too", () => {
  const ends = endsOf("10:2 crash").map((end) => ({ ...end, exitCode: 0 }));
  assert.equal(decideBackOff({ version: 2, ends, lastServedAt: null }).verdict, "backing_off");
});

test("the back-off is configurable", () => {
  const input: BackOffInput = {
    version: 2,
    ends: endsOf("10:2 crash, 13:1 crash"),
    lastServedAt: null,
  };
  const at = (backOff: BackOffInput["backOff"]) =>
    decideBackOff({ ...input, backOff }).allowStartAt;
  assert.equal(at({ firstMs: 10, longestMs: 1_000 }), 13_020);
  assert.equal(at({ firstMs: 10, longestMs: 15 }), 13_015);
});

test("permittedStarts allows one try after the back-off, and any number once a worker is ready", () => {
  const nobody = { starting: 0, idle: 0, busy: 0 };
  const ok = decideBackOff({ version: 2, ends: [], lastServedAt: null });
  const on = decideBackOff({ version: 2, ends: endsOf("10:2 crash"), lastServedAt: null });
  assert.equal(permittedStarts(ok, 0, nobody), Infinity);
  assert.equal(permittedStarts(on, 10_999, nobody), 0, "not yet");
  assert.equal(permittedStarts(on, 11_000, nobody), 1, "one try");
  assert.equal(permittedStarts(on, 11_000, { ...nobody, starting: 1 }), 0, "it is under way");
  assert.equal(permittedStarts(on, 11_000, { ...nobody, idle: 1 }), Infinity, "the version works");
});

const anyEnd: fc.Arbitrary<WorkerEnd> = fc.record({
  version: fc.constantFrom(1, 2, 2, 2),
  endedAt: fc.integer({ min: 0, max: 500_000 }),
  exitCode: fc.constantFrom(0, 1, null),
  signal: fc.constantFrom(null, "SIGKILL"),
  served: fc.constantFrom(0, 0, 0, 1),
  lifeMs: fc.integer({ min: 0, max: 60_000 }),
  desired: fc.constantFrom(false, false, true),
});

test("the back-off never gives up and never exceeds its longest delay", () => {
  fc.assert(
    fc.property(fc.array(anyEnd, { maxLength: 40 }), (ends) => {
      const crashBackOff = decideBackOff({ version: 2, ends, lastServedAt: null });
      const lastEndedAt = Math.max(0, ...ends.map((end) => end.endedAt));
      assert.ok(crashBackOff.allowStartAt <= lastEndedAt + 300_000);
      assert.equal(crashBackOff.verdict === "ok", crashBackOff.consecutive === 0);
    }),
  );
});

test("another crash never allows an earlier start, and a finished job ends the back-off", () => {
  fc.assert(
    fc.property(fc.array(anyEnd, { maxLength: 20 }), anyEnd, (ends, end) => {
      const last = Math.max(end.endedAt, ...ends.map((other) => other.endedAt + 1));
      const more = (served: number) => {
        const next = { ...end, version: 2, endedAt: last, served, desired: false };
        return decideBackOff({ version: 2, ends: [...ends, next], lastServedAt: null });
      };
      const before = decideBackOff({ version: 2, ends, lastServedAt: null });
      assert.ok(more(0).allowStartAt > before.allowStartAt || before.consecutive === 0);
      assert.ok(more(0).consecutive >= before.consecutive);
      assert.equal(more(1).verdict, "ok");
    }),
  );
});

function endsOf(text: string): WorkerEnd[] {
  return [...text.matchAll(/(\d+):(\d+) (\w+)/g)].map(([, ended, life, kind]) => ({
    version: kind === "old" ? 1 : 2,
    endedAt: Number(ended) * 1_000,
    exitCode: kind === "asked" ? 0 : 1,
    signal: null,
    served: kind === "served" ? 1 : 0,
    lifeMs: Number(life) * 1_000,
    desired: kind === "asked",
  }));
}
