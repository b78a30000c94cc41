// Which requests a trouble strikes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActiveTrouble, isStruck } from "./strike.ts";

const always: ActiveTrouble = { rate: 1, match: null, since: 0, until: null };
const subject = "POST /v1/pods";

const examples: [active: Partial<ActiveTrouble>, now: number, random: number, strikes: boolean][] =
  [
    [{}, 1, 0.999, true],
    [{ rate: 0.1 }, 1, 0.09, true],
    [{ rate: 0.1 }, 1, 0.1, false],
    [{ match: "/v1/pods" }, 1, 0, true],
    [{ match: "/v1/endpoints" }, 1, 0, false],
    [{ until: 10 }, 9, 0, true],
    [{ until: 10 }, 10, 0, false],
  ];

for (const [active, now, random, strikes] of examples) {
  test(`${JSON.stringify(active)} at ${now} with ${random} strikes: ${strikes}`, () => {
    assert.equal(isStruck({ ...always, ...active }, { now, random, subject }), strikes);
  });
}
