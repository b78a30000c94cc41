import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "../pod/pod.ts";
import { whyPod } from "./pod.ts";

const NOW = 1_000_000;
const pod = {
  id: "p",
  state: "RUNNING",
  cause: "created",
  reason: null,
  changedAt: NOW - 5_000,
  machine: "m",
  observed: "running",
  startedAt: NOW - 4_000,
  endedAt: null,
  exitCode: null,
  signal: null,
  oom: false,
  failedStarts: 0,
  trouble: null,
  troubleCause: null,
  startAt: 0,
} as unknown as Pod;
const ended = { observed: "ended", exitCode: 3, endedAt: NOW - 1_000 } as const;
const left = { state: "EXITED", observed: "none" } as const;

const rows: [changes: Partial<Pod>, log: string[], code: string, sentence: RegExp][] = [
  [{}, [], "pod_running", /^Pod p has been running for 4 s\.$/],
  [{ observed: "starting" }, [], "pod_starting", /asked to run 5 s ago/],
  [
    { ...ended, startAt: NOW + 2_000 },
    ["KeyError: 'x'"],
    "pod_backing_off",
    /ended with exit code 3 1 s ago \(KeyError: 'x'\)\. Its container is started again in 2 s\.$/,
  ],
  [
    { observed: "none", failedStarts: 2, trouble: "no such image.", startAt: NOW + 9_000 },
    [],
    "pod_start_failing",
    /could not be started 2 times so far: no such image\. It is tried again in 9 s\.$/,
  ],
  [{ ...left, cause: "stopped" }, [], "pod_stopped", /stopped by a client 5 s ago/],
  [{ ...left, cause: "finished", exitCode: 0 }, [], "pod_finished", /ended with exit code 0\.$/],
  [
    { ...left, cause: "gave_up", reason: "it ended 5 times", exitCode: 127 },
    ["sh: x: not found"],
    "pod_gave_up",
    /it ended 5 times \(sh: x: not found\)\. The start command was not found\.$/,
  ],
  [
    { ...left, cause: "evicted", reason: "it was interruptible, and another came" },
    [],
    "pod_evicted",
    /stopped 5 s ago: it was interruptible, and another came; its volume is kept\.$/,
  ],
  [
    {
      ...left,
      cause: "budget_spent",
      reason: "the account's budget b of 5 dollars per day is spent",
    },
    [],
    "pod_budget_spent",
    /stopped 5 s ago: the account's budget b of 5 dollars per day is spent; its volume is kept\.$/,
  ],
  [
    { ...left, cause: "stop_after", reason: "its stopAfter has come" },
    [],
    "pod_stop_after",
    /stopped 5 s ago, for its stopAfter has come\.$/,
  ],
];

for (const [changes, log, code, sentence] of rows) {
  test(`why: ${code}`, () => {
    const answer = whyPod({ pod: { ...pod, ...changes }, online: true, log }, NOW);
    assert.equal(answer.code, code);
    assert.match(answer.sentence, sentence);
  });
}

test("why: pod_machine_away", () => {
  assert.equal(whyPod({ pod, online: false, log: [] }, NOW).code, "pod_machine_away");
});
