import assert from "node:assert/strict";
import { test } from "node:test";
import { diffPods, type GpuUser, type SeenContainer, type WantedPod } from "./diff.ts";

const NOW = 1_000;
const pod: WantedPod = {
  id: "p",
  state: "RUNNING",
  round: 2,
  startedRound: 2,
  observed: "running",
  startAt: 0,
  gpus: [],
};
type Seen = SeenContainer["state"] | null;
const rows: [name: string, wanted: Partial<WantedPod>, seen: Seen, step: string | null][] = [
  ["a new one is started", { observed: "none", startedRound: 1 }, null, "start"],
  ["not before its time", { observed: "ended", startAt: NOW + 1 }, "ended", null],
  ["and then it is", { observed: "ended", startAt: NOW }, "ended", "start"],
  ["one that runs as wanted is left alone", {}, "running", null],
  ["one that runs is noted", { observed: "starting" }, "running", "noteRunning"],
  ["one that ended is noted", {}, "ended", "noteEnded"],
  ["one that ended at once is noted", { observed: "starting" }, "ended", "noteEnded"],
  ["one that vanished is noted", {}, null, "noteEnded"],
  ["one that was never started is", { observed: "starting" }, null, "start"],
  ["an old container is stopped", { startedRound: 1 }, "running", "stop"],
  ["and then a new one started", { startedRound: 1 }, "ended", "start"],
  ["one that should not run is stopped", { state: "EXITED" }, "running", "stop"],
  ["then that is noted", { state: "EXITED" }, "ended", "noteStopped"],
  ["and it stays as it is", { state: "EXITED", observed: "none" }, "ended", null],
  ["one that is terminated is stopped", { state: "TERMINATED" }, "running", "stop"],
  ["and nothing of it is left", { state: "TERMINATED" }, "ended", "clear"],
];

for (const [name, wanted, seen, step] of rows) {
  test(name, () => {
    const plan = diffPods([{ ...pod, ...wanted }], seen ? [{ id: "p", state: seen }] : [], [], NOW);
    assert.deepEqual(
      plan.map((each) => each.do),
      step ? [step] : [],
    );
  });
}

test("a start waits until nobody else's container has its GPUs", () => {
  const next = { ...pod, startedRound: 1, observed: "none" as const, gpus: [4] };
  const plan = (...users: GpuUser[]) => diffPods([next], [], users, NOW).map((step) => step.do);
  assert.deepEqual(plan({ id: "old", gpus: [3, 4] }), []);
  assert.deepEqual(plan({ id: "old", gpus: [3] }, { id: "p", gpus: [4] }), ["start"]);
});
