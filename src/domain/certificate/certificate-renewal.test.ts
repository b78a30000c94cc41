// Tests of when certificates are renewed, and tried again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../base/units.ts";
import { renewalAt, retryAt } from "./certificate-renewal.ts";

test("a certificate is renewed after two thirds of its life", () => {
  assert.equal(renewalAt({ startsAt: 0, endsAt: 90 * 24 * HOUR_MS }), 60 * 24 * HOUR_MS);
  assert.equal(renewalAt({ startsAt: 0, endsAt: 6 * 24 * HOUR_MS }), 4 * 24 * HOUR_MS);
});

test("failures are tried again ever later, and never before the server allows it", () => {
  const delays = [1, 2, 3, 4, 7, 50].map((count) => retryAt(count, null, 0) / HOUR_MS);
  assert.deepEqual(delays, [0.25, 0.5, 1, 2, 12, 12]);
  assert.equal(retryAt(1, 3 * HOUR_MS, 0), 3 * HOUR_MS);
  assert.equal(retryAt(3, 1_000, 0), HOUR_MS);
  assert.equal(retryAt(1, 1e300, 0), 7 * 24 * HOUR_MS);
});
