import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndCause } from "../../container/end-cause.ts";
import type { PodState } from "../moves.ts";
import type { ContainerState, Pod } from "../pod.ts";
import { yieldsPlace } from "./yield-place.ts";

const table: [PodState, ContainerState, count: number, EndCause | null, yields: boolean][] = [
  ["RUNNING", "none", 2, "image_not_found", true],
  ["RUNNING", "none", 3, "registry_away", true],
  ["RUNNING", "none", 9, "no_room", true],
  ["RUNNING", "none", 1, "image_not_found", false],
  ["RUNNING", "none", 0, null, false],
  ["RUNNING", "starting", 2, "image_not_found", false],
  ["RUNNING", "running", 2, "image_not_found", false],
  ["RUNNING", "none", 5, "secret_missing", false],
  ["EXITED", "none", 2, "image_not_found", false],
];

for (const [desired, observed, count, cause, yields] of table) {
  const outcome = yields ? "yields" : "keeps";
  test(`${desired}, ${observed}, ${count} failed starts (${cause}): ${outcome} its place`, () => {
    const failedStarts = count > 0 ? { count, since: 0, sentence: "", cause } : null;
    const pod = { desired: { state: desired }, observed: { state: observed } };
    assert.equal(yieldsPlace({ ...pod, backoff: { failedStarts } } as Pod), yields);
  });
}
