import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetOf, ledger } from "../../../test/samples/fleet.ts";
import { countUnhealthy } from "./unhealthy.ts";

// "failed" is how many seconds ago workers ended before they had served.
const examples = `
scaler                     | queue       | workers        | failed     | unhealthy | because
QUEUE_DELAY 4, 1-3, idle 5 | -           |                | -          | 0         | none has failed
QUEUE_DELAY 4, 1-3, idle 5 | -           |                | 5          | 1         | it waits for its back-off
QUEUE_DELAY 4, 1-3, idle 5 | -           | starting@1     | 5          | 1         | it is being tried again
QUEUE_DELAY 4, 1-3, idle 5 | -           | starting@1     | 3 7 10     | 1         | one worker was tried three times
QUEUE_DELAY 4, 2-3, idle 5 | -           | starting@1     | 3 7 10     | 2         | two workers are wanted
QUEUE_DELAY 4, 1-3, idle 5 | -           |                | 299        | 1         | its back-off may not be over
QUEUE_DELAY 4, 1-3, idle 5 | -           |                | 300        | 0         | the longest back-off is over
QUEUE_DELAY 4, 1-3, idle 5 | -           | idle@1         | 5          | 0         | the retry is ready
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 1s   |                | 5          | 1         | a job waits for it
QUEUE_DELAY 4, 0-3, idle 5 | -           |                | 5          | 0         | no worker is wanted any more
QUEUE_DELAY 4, 0-0, idle 5 | 1 wait 1s   |                | 5          | 0         | the endpoint is paused
QUEUE_DELAY 4, 1-3, idle 5 | -           | unhealthy      | -          | 1         | it still runs and cannot serve
QUEUE_DELAY 4, 1-3, idle 5 | -           | unhealthy      | 5          | 2         | and another failed before
`;

for (const row of ledger<Record<string, string>>(examples)) {
  const { scaler, queue, workers, failed, unhealthy, because } = row;
  test(`${failed} with ${workers || "no worker"}: ${because}`, () => {
    const fleet = fleetOf({ scaler: scaler!, queue: queue!, workers: workers! });
    const seconds = failed === "-" ? [] : failed!.split(" ").map(Number);
    const failures = seconds.map((ago) => ({ endedAt: fleet.now - ago * 1_000 }));
    assert.equal(countUnhealthy(fleet, failures), Number(unhealthy));
  });
}
