// The status of a Pod and its actions, for every pair of desired and observed state.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PodState } from "../moves.ts";
import type { PodCause, PodObserved } from "../pod.ts";
import { type PodStatus, podActions, podStatus } from "./pod-status.ts";

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
