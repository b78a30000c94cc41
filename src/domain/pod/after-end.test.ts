import assert from "node:assert/strict";
import { test } from "node:test";
import { afterEnd, afterFailedStart } from "./after-end.ts";

const MINUTE = 60_000;
const AT = 100 * MINUTE;
const end = { at: AT, exitCode: 1 as number | null, signal: null as string | null, oom: false };

test("exit code 0 finishes the Pod; any other end is retried with a growing back-off", () => {
  assert.deepEqual(afterEnd({ ...end, exitCode: 0 }, []), { do: "finish" });
  const waits = [0, 1, 2, 3].map((n) => {
    const after = afterEnd(end, Array<number>(n).fill(AT - 1));
    return after.do === "again" ? after.at - AT : null;
  });
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000]);
});

test("the fifth end within ten minutes gives up; older ends do not count", () => {
  const four = [1, 2, 3, 9].map((minutes) => AT - minutes * MINUTE);
  assert.deepEqual(afterEnd(end, four), {
    do: "giveUp",
    reason: "its container ended 5 times within ten minutes, the last time with exit code 1",
  });
  assert.equal(afterEnd(end, [...four.slice(1), AT - 10 * MINUTE]).do, "again");
});

test("the reason says how the container ended", () => {
  const four = Array<number>(4).fill(AT - 1);
  const reason = (how: Partial<typeof end>) => {
    const after = afterEnd({ ...end, exitCode: null, ...how }, four);
    return after.do === "giveUp" ? after.reason : after.do;
  };
  assert.match(reason({ signal: "SIGKILL" }), /the last time by SIGKILL$/);
  assert.match(reason({ exitCode: 137, oom: true }), /because it ran out of memory$/);
  assert.match(reason({}), /the last time for an unknown reason$/);
});

test("a failed start is retried, at most every five minutes, for half an hour", () => {
  const wait = (tries: number, after: number) => {
    const next = afterFailedStart("no such image", tries, AT, AT + after);
    return next.do === "again" ? next.at - AT - after : next;
  };
  assert.deepEqual([wait(1, 0), wait(2, 9), wait(20, 20 * MINUTE)], [1_000, 2_000, 5 * MINUTE]);
  assert.deepEqual(wait(9, 30 * MINUTE), {
    do: "giveUp",
    reason: "it could not be started for 30 minutes: no such image",
  });
});
