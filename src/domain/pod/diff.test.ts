import assert from "node:assert/strict";
import { test } from "node:test";
import { type DesiredPod, diffPods, type GpuUser, type ObservedContainer } from "./diff.ts";
import type { PodDesired, PodObserved, PodPlacement } from "./pod.ts";

const NOW = 1_000;

/** As it is recorded; the generation is 2. */
interface Recorded {
  state?: PodDesired["state"];
  startedGeneration?: number;
  observed?: PodObserved["state"];
  startAt?: number;
  gpus?: number[];
}

function podWith({
  state = "RUNNING",
  startedGeneration = 2,
  observed = "running",
  startAt = 0,
  gpus = [],
}: Recorded): DesiredPod {
  return {
    id: "p",
    desired: { state, generation: 2 } as PodDesired,
    placement: { gpus } as unknown as PodPlacement,
    observed: { state: observed, startedGeneration } as PodObserved,
    backoff: { startAt, ends: [], failedStarts: null },
  };
}

type Actual = ObservedContainer["state"] | null;
const rows: [name: string, recorded: Recorded, actual: Actual, step: string | null][] = [
  ["a new Pod is started", { observed: "none", startedGeneration: 1 }, null, "start"],
  ["not before its back-off ends", { observed: "ended", startAt: NOW + 1 }, "ended", null],
  ["when its back-off has ended", { observed: "ended", startAt: NOW }, "ended", "start"],
  ["a Pod that runs as desired needs nothing", {}, "running", null],
  ["a container that runs is recorded", { observed: "starting" }, "running", "noteRunning"],
  ["a container that ended is recorded", {}, "ended", "noteEnded"],
  ["a container that ended at once is recorded", { observed: "starting" }, "ended", "noteEnded"],
  ["a container that vanished is recorded", {}, null, "noteEnded"],
  ["a container that was never started is started", { observed: "starting" }, null, "start"],
  ["an old container is stopped", { startedGeneration: 1 }, "running", "stop"],
  ["a new container replaces it", { startedGeneration: 1 }, "ended", "start"],
  ["a container that should not run is stopped", { state: "EXITED" }, "running", "stop"],
  ["its stop is recorded", { state: "EXITED" }, "ended", "noteStopped"],
  ["a stopped Pod needs nothing", { state: "EXITED", observed: "none" }, "ended", null],
  ["a terminated Pod's container is stopped", { state: "TERMINATED" }, "running", "stop"],
  ["a terminated Pod is cleared", { state: "TERMINATED" }, "ended", "clear"],
];

for (const [name, recorded, actual, step] of rows) {
  test(name, () => {
    const observed = actual ? [{ id: "p", state: actual }] : [];
    const plan = diffPods([podWith(recorded)], observed, [], NOW);
    assert.deepEqual(
      plan.map((each) => each.do),
      step ? [step] : [],
    );
  });
}

test("a start waits until no other container uses its GPUs", () => {
  const next = podWith({ startedGeneration: 1, observed: "none", gpus: [4] });
  const plan = (...users: GpuUser[]) => diffPods([next], [], users, NOW).map((step) => step.do);
  assert.deepEqual(plan({ id: "old", gpus: [3, 4] }), []);
  assert.deepEqual(plan({ id: "old", gpus: [3] }, { id: "p", gpus: [4] }), ["start"]);
});
