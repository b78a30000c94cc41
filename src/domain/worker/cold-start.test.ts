// The parts of a cold start, as a table of what is known of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { coldStartParts, type StartInstants } from "./cold-start.ts";

const nothing: StartInstants = {
  createdAt: 10,
  launchedAt: null,
  modelsAt: null,
  pullingAt: null,
  imageAt: null,
  startedAt: null,
  processAt: null,
  loadedAt: null,
  readyAt: null,
};

const rows: [
  name: string,
  known: Partial<StartInstants>,
  parts: string,
  more?: Parameters<typeof coldStartParts>[1],
][] = [
  ["that waits for its machine", {}, "scheduling 10-"],
  ["that loads a model", { launchedAt: 20 }, "scheduling 10-20, models 20-", { isLoading: true }],
  [
    "whose image is pulled",
    { launchedAt: 20, modelsAt: 30, pullingAt: 31 },
    "scheduling 10-20, models 20-30, image_pull 30-",
  ],
  [
    "whose image was pulled",
    { launchedAt: 20, pullingAt: 21, imageAt: 40 },
    "scheduling 10-20, image_pull 20-40, container 40-",
  ],
  [
    "whose image was there",
    { launchedAt: 20, imageAt: 22, startedAt: 30 },
    "scheduling 10-20, image_check 20-22, container 22-30, program 30-",
  ],
  [
    "that is ready",
    { launchedAt: 20, imageAt: 22, startedAt: 30, readyAt: 90 },
    "scheduling 10-20, image_check 20-22, container 22-30, program 30-90",
  ],
  [
    "that says when it imported",
    { launchedAt: 20, startedAt: 30, processAt: 35, loadedAt: 80, readyAt: 90 },
    "scheduling 10-20, container 20-30, program 30-35, import 35-80, first_poll 80-90",
  ],
  [
    "whose process began before its start was observed",
    { launchedAt: 20, startedAt: 30, processAt: 28, loadedAt: 80, readyAt: 90 },
    "scheduling 10-20, container 20-30, import 30-80, first_poll 80-90",
  ],
  [
    "that had imported before its start was observed",
    { launchedAt: 20, startedAt: 85, processAt: 28, loadedAt: 80, readyAt: 90 },
    "scheduling 10-20, container 20-80, import 80-80, first_poll 80-90",
  ],
  [
    "whose driver has no image, or does not know when it was there",
    { launchedAt: 20, startedAt: 30, readyAt: 90 },
    "scheduling 10-20, container 20-30, program 30-90",
  ],
  [
    "that an earlier version of Freehold recorded",
    { startedAt: 30, readyAt: 90 },
    "container 10-30, program 30-90",
  ],
  [
    "that called before its start was observed",
    { launchedAt: 20, startedAt: 95, readyAt: 90 },
    "scheduling 10-20, container 20-90, program 90-90",
  ],
  [
    "whose replicas' clocks differ",
    { launchedAt: 8, startedAt: 7, readyAt: 90 },
    "scheduling 10-10, container 10-10, program 10-90",
  ],
  [
    "that ended while its image was pulled",
    { launchedAt: 20, pullingAt: 21 },
    "scheduling 10-20, image_pull 20-50",
    { endedAt: 50 },
  ],
  [
    "that ended after it was ready",
    { startedAt: 30, readyAt: 40 },
    "container 10-30, program 30-40",
    { endedAt: 50 },
  ],
];

for (const [name, known, expected, more] of rows) {
  test(`the parts of the cold start of a worker ${name}`, () => {
    const parts = coldStartParts({ ...nothing, ...known }, more);
    const texts = parts.map(({ part, from, to }) => `${part} ${from}-${to ?? ""}`);
    assert.equal(texts.join(", "), expected);
  });
}
