import assert from "node:assert/strict";
import { test } from "node:test";
import { type HolderSigns, judgeLease, type LeaseFacts } from "./expiry.ts";
import { type RetryPolicy, retryDefaults } from "./retry-policy.ts";

const times = { leaseMs: 40_000, silentMs: 60_000 };
const alive: HolderSigns = {
  ended: false,
  outOfMemory: false,
  endRequested: false,
  endReason: null,
  pingedAt: null,
  pingVersion: null,
  polledIdleAt: null,
  seenAt: 0,
};
const running: LeaseFacts = {
  takenAt: 0,
  leaseUntil: 40_000,
  ttlAt: 86_400_000,
  executionMs: 600_000,
  retries: 0,
  retry: null,
  endedWorkers: 0,
  draw: 0,
  watchedSince: 0,
  worker: alive,
};

// now, how it differs from a job just claimed, how its worker differs, the verdict
const examples: [number, Partial<LeaseFacts>, Partial<HolderSigns> | null, string][] = [
  [0, {}, {}, "none"],
  [39_999, {}, { pingedAt: 30_000 }, "none"],
  [40_000, {}, { pingedAt: 30_000 }, "lose"],
  [40_000, { retries: 1 }, { pingedAt: 30_000 }, "giveUp"],
  [78_999, { watchedSince: 39_000 }, { pingedAt: 30_000, polledIdleAt: 39_500 }, "none"], // the lease could not be renewed
  [79_000, { watchedSince: 39_000 }, { pingedAt: 30_000 }, "none"], // it may have listed the job since
  [79_000, { watchedSince: 39_000 }, { pingedAt: 50_000 }, "requeue"], // its result may have been dropped
  [79_000, { watchedSince: 39_000, retries: 1 }, { polledIdleAt: 50_000 }, "requeue"],
  [119_000, { watchedSince: 39_000, takenAt: 40_000 }, { polledIdleAt: 50_000 }, "lose"],
  [40_000, {}, { polledIdleAt: 20_000 }, "lose"],
  [40_000, {}, { polledIdleAt: 500 }, "none"], // the poll that the job was handed to
  [120_000, {}, {}, "none"], // an old worker whose handler blocks its pings
  [120_000, {}, { pingedAt: 10_000, pingVersion: "1.12.0", seenAt: 10_000 }, "lose"],
  [
    60_000,
    { leaseUntil: 50_000 },
    { pingedAt: 10_000, pingVersion: "1.12.0", seenAt: 10_000 },
    "none",
  ],
  [
    70_000,
    { leaseUntil: 50_000 },
    { pingedAt: 10_000, pingVersion: "1.12.0", seenAt: 10_000 },
    "lose",
  ],
  [90_000, { leaseUntil: 100_000 }, { pingedAt: 60_000 }, "none"],
  [5_000, {}, { ended: true }, "lose"],
  [5_000, { retries: 1 }, { ended: true }, "giveUp"],
  [5_000, { retries: 1 }, { ended: true, endRequested: true }, "requeue"],
  [5_000, {}, null, "lose"],
  [600_000, { leaseUntil: 640_000 }, {}, "overrun"],
  [600_000, { leaseUntil: 640_000, executionMs: 5_000 }, { ended: true }, "overrun"],
  [9_000, { ttlAt: 9_000 }, {}, "expire"],
  // With a retry policy; its pauses are tested with it.
  [5_000, { retry: policy({}) }, { ended: true }, "backOff"],
  [5_000, { retry: policy({ delay: 0 }) }, { ended: true }, "lose"],
  [5_000, { retry: policy({}), retries: 2 }, { ended: true }, "giveUp"],
  [5_000, { retry: policy({}), retries: 2 }, { ended: true, endRequested: true }, "requeue"],
  [5_000, { retry: policy({ on: ["workerLost"] }) }, { ended: true, outOfMemory: true }, "giveUp"],
  [
    5_000,
    { retry: policy({ on: ["outOfMemory"] }) },
    { ended: true, outOfMemory: true },
    "backOff",
  ],
  [5_000, { retry: policy({ on: ["outOfMemory"] }) }, { ended: true }, "giveUp"],
  [600_000, { retry: policy({}) }, {}, "backOff"],
  [600_000, { retry: policy({ on: ["error"] }) }, {}, "overrun"],
  [600_000, { retry: policy({}), ttlAt: 605_000 }, {}, "overrun"],
  [5_000, { retry: policy({}), ttlAt: 10_000 }, { ended: true }, "giveUp"],
  [5_000, { retry: policy({ quarantineAfter: 2 }) }, { ended: true }, "backOff"],
  [
    5_000,
    { retry: policy({ quarantineAfter: 2 }), endedWorkers: 1 },
    { ended: true },
    "quarantine",
  ],
  // A worker that is silent has not ended.
  [40_000, { retry: policy({ quarantineAfter: 1 }) }, { pingedAt: 30_000 }, "backOff"],
];

function policy(members: Partial<RetryPolicy>): RetryPolicy {
  return { ...retryDefaults, ...members };
}

for (const [now, job, worker, event] of examples) {
  test(`at ${now} ${JSON.stringify(job)} ${JSON.stringify(worker)}: ${event}`, () => {
    const full = { ...running, ...job, worker: worker && { ...alive, ...worker } };
    assert.equal(judgeLease(full, now, times).event, event);
  });
}

test("the evidence of a requested end says why it was requested", () => {
  const signs = { ...alive, ended: true, endRequested: true, endReason: "its GPU 1 is broken" };
  const verdict = judgeLease({ ...running, worker: signs }, 5_000, times);
  const evidence = "its worker ended while it held the job: its GPU 1 is broken";
  assert.deepEqual(verdict, { event: "requeue", evidence });
});
