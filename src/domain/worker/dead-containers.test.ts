import assert from "node:assert/strict";
import { test } from "node:test";
import { containersToRemove, type DeadWorker } from "./dead-containers.ts";

const NOW = 1_000_000;

const dead = (id: string, secondsAgo: number, more: Partial<DeadWorker> = {}): DeadWorker => ({
  id,
  endpointId: "e",
  endedAt: NOW - secondsAgo * 1_000,
  isEndpointDeleted: false,
  ...more,
});

const rows: [what: string, workers: DeadWorker[], wipe: string[], remove: string[]][] = [
  ["a recent container is kept", [dead("a", 299)], [], []],
  ["an old container is removed, its log is kept", [dead("a", 300), dead("b", 1)], ["a"], []],
  [
    "a crash loop keeps the newest four",
    [dead("a", 6), dead("b", 5), dead("c", 1), dead("d", 2), dead("e", 3), dead("f", 4)],
    ["b", "a"],
    [],
  ],
  [
    "each endpoint keeps its own",
    [1, 2, 3, 4, 5].map((n) => dead(`w${n}`, n, { endpointId: `e${n}` })),
    [],
    [],
  ],
  [
    "a deleted endpoint keeps none, and no log",
    [dead("a", 1, { isEndpointDeleted: true }), dead("b", 1, { endpointId: "f" })],
    [],
    ["a"],
  ],
];

for (const [what, workers, wipe, remove] of rows) {
  test(what, () => assert.deepEqual(containersToRemove(workers, NOW), { wipe, remove }));
}
