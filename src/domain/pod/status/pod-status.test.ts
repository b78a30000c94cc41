// The status of a Pod and its actions, for every pair of desired and observed state.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PodState } from "../moves.ts";
import { noBackoff, type PodCause, type PodObserved } from "../pod.ts";
import { type PodStatus, podActions, podFailure, podStatus } from "./pod-status.ts";

interface Row {
  desired: PodState;
  cause?: PodCause;
  observed: PodObserved["state"];
  /** The generations: desired and started. */
  generation?: [number, number];
  isLost?: boolean;
  status: PodStatus;
}

const rows: Row[] = [
  { desired: "RUNNING", observed: "none", generation: [1, 0], status: "PROVISIONING" },
  { desired: "RUNNING", observed: "starting", status: "STARTING" },
  { desired: "RUNNING", observed: "running", status: "RUNNING" },
  { desired: "RUNNING", observed: "ended", status: "STARTING" },
  { desired: "RUNNING", observed: "none", status: "STARTING" },
  { desired: "RUNNING", observed: "running", generation: [2, 1], status: "STARTING" },
  { desired: "RUNNING", observed: "running", isLost: true, status: "ERROR" },
  { desired: "RUNNING", observed: "none", generation: [1, 0], isLost: true, status: "ERROR" },
  { desired: "EXITED", observed: "none", status: "EXITED" },
  { desired: "EXITED", observed: "starting", status: "EXITED" },
  { desired: "EXITED", observed: "running", status: "EXITED" },
  { desired: "EXITED", observed: "ended", status: "EXITED" },
  { desired: "EXITED", cause: "finished", observed: "ended", status: "EXITED" },
  { desired: "EXITED", cause: "evicted", observed: "ended", status: "EXITED" },
  { desired: "EXITED", cause: "gave_up", observed: "ended", status: "ERROR" },
  { desired: "EXITED", observed: "ended", isLost: true, status: "EXITED" },
  { desired: "TERMINATED", observed: "none", status: "TERMINATED" },
  { desired: "TERMINATED", observed: "starting", status: "TERMINATED" },
  { desired: "TERMINATED", observed: "running", isLost: true, status: "TERMINATED" },
  { desired: "TERMINATED", observed: "ended", status: "TERMINATED" },
];

for (const { desired, cause = "created", observed, isLost, status, generation } of rows) {
  const lost = isLost ? " on a lost machine" : "";
  const [wanted, started] = generation ?? [1, 1];
  test(`${desired} (${cause}), ${observed}, generation ${wanted} over ${started}${lost} is ${status}`, () => {
    const facts = {
      desired: { state: desired, cause, generation: wanted },
      observed: { state: observed, startedGeneration: started },
      isLost: isLost === true,
    };
    assert.equal(podStatus(facts), status);
  });
}

test("an error has a cause", () => {
  const lastEnd = { at: 1, exitCode: 3, signal: null, oom: false };
  const facts = {
    desired: { state: "EXITED" as const, cause: "gave_up" as const, generation: 1 },
    observed: { state: "ended" as const, startedGeneration: 1, lastEnd },
    backoff: noBackoff,
    isLost: false,
  };
  assert.deepEqual(podFailure(facts), { code: "crashed", exitCode: 3, signal: null });
  const failedStarts = {
    count: 5,
    since: 0,
    sentence: "there is no such image.",
    cause: null,
    engine: null,
  };
  const neverStarted = { ...facts, backoff: { ...noBackoff, failedStarts } };
  assert.deepEqual(podFailure(neverStarted), { code: "start_failed" });
  const running = { ...facts.desired, state: "RUNNING" as const };
  assert.deepEqual(podFailure({ ...facts, desired: running, isLost: true }), {
    code: "machine_lost",
  });
  assert.equal(podFailure({ ...facts, desired: running }), null);
});

test("a status decides the actions", () => {
  const actions = Object.fromEntries(
    [...new Set(rows.map(({ status }) => status))].map((status) => [status, podActions(status)]),
  );
  assert.deepEqual(actions, {
    PROVISIONING: ["stop", "terminate"],
    STARTING: ["stop", "terminate"],
    RUNNING: ["stop", "restart", "terminate"],
    EXITED: ["start", "terminate"],
    ERROR: ["start", "terminate"],
    TERMINATED: [],
  });
});
