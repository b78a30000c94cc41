import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decideRetry,
  type FailedAttempt,
  type RetryPolicy,
  retryDefaults,
} from "./retry-policy.ts";

const attempt: FailedAttempt = {
  outcome: "error",
  retries: 0,
  endedWorkers: 0,
  ttlAt: 1_000_000,
  draw: 0.5,
};

// the policy, how the attempt differs, the decision: the pause before a retry in milliseconds, or why not
const examples: [Partial<RetryPolicy> | null, Partial<FailedAttempt>, number | string][] = [
  // Without a policy, as ever: one more dispatch after a loss, at once.
  [null, { outcome: "workerLost" }, 0],
  [null, { outcome: "outOfMemory" }, 0],
  [null, { outcome: "workerLost", retries: 1 }, "fail"],
  [null, { outcome: "error" }, "fail"],
  [null, { outcome: "timeout" }, "fail"],
  [null, { outcome: "workerLost", endedWorkers: 100 }, 0],
  // The defaults of a policy.
  [{}, {}, 5_000],
  [{}, { retries: 1 }, 10_000],
  [{}, { retries: 2 }, "fail"],
  [{ maxAttempts: 100 }, { retries: 50 }, 300_000],
  [{ maxAttempts: 1 }, {}, "fail"],
  // Only the outcomes that it names.
  [{ on: ["timeout"] }, { outcome: "timeout" }, 5_000],
  [{ on: ["timeout"] }, { outcome: "workerLost" }, "fail"],
  [{ on: [] }, {}, "fail"],
  // The back-off.
  [{ delay: 0 }, {}, 0],
  [{ delay: 0.25, factor: 1 }, { retries: 1 }, 250],
  [{ delay: 3, factor: 10, maxDelay: 20 }, { retries: 1 }, 20_000],
  [{ delay: 30, maxDelay: 20 }, {}, 20_000],
  // Jitter: from half the pause to the whole, of the longest pause too.
  [{ jitter: true }, { draw: 0 }, 2_500],
  [{ jitter: true }, {}, 3_750],
  [{ jitter: true }, { draw: 0.9999 }, 5_000],
  [{ jitter: true }, { draw: 0, retries: 1 }, 5_000],
  [{ jitter: true, maxAttempts: 100 }, { draw: 0.9999, retries: 50 }, 299_985],
  [{ jitter: true, delay: 0 }, {}, 0],
  [{ jitter: false }, { draw: 0 }, 5_000],
  [{ jitter: undefined }, { draw: 0 }, 5_000],
  // Never beyond the time to live.
  [{}, { ttlAt: 5_001 }, 5_000],
  [{}, { ttlAt: 5_000 }, "fail"],
  [{ jitter: true }, { ttlAt: 3_751 }, 3_750],
  [{ jitter: true }, { ttlAt: 3_750 }, "fail"],
  // Quarantine comes first.
  [{ quarantineAfter: 2 }, { outcome: "workerLost", endedWorkers: 1 }, 5_000],
  [{ quarantineAfter: 2 }, { outcome: "workerLost", endedWorkers: 2, retries: 1 }, "quarantine"],
  [{ quarantineAfter: 3 }, { outcome: "workerLost", endedWorkers: 2, retries: 2 }, "fail"],
];

for (const [policy, failed, expected] of examples) {
  test(`${JSON.stringify(policy)} after ${JSON.stringify(failed)}: ${expected}`, () => {
    const complete = policy && { ...retryDefaults, ...policy };
    const decision = decideRetry(complete, { ...attempt, ...failed }, 0);
    assert.equal(decision.event === "retry" ? decision.at : decision.event, expected);
  });
}
