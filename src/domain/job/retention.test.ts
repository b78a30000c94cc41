import assert from "node:assert/strict";
import { test } from "node:test";
import { ledger } from "../../../test/samples/fleet.ts";
import { documented } from "../protocol.ts";
import { decideRetention, retentionErrors } from "./retention.ts";

const bounds = { keepMinMs: 5_000, keepMaxMs: 3_600_000 };

// Seconds; 0 is the default.
const examples = `
request      | result | failure | keep | after failure | because
run          | 0      | 0       | 1800 | 1800          | the documented default
runsync      | 0      | 0       | 60   | 60            | a sync result is kept for a minute
runsync wait | 0      | 0       | 300  | 300           | with wait for five
run          | 600    | 0       | 600  | 1800          | the endpoint sets one
runsync      | 600    | 20      | 600  | 20            | or both, for every kind of request
run          | 7200   | 1       | 3600 | 5             | but no more than the operator allows
`;

for (const row of ledger<Record<string, string>>(examples)) {
  test(`${row.request}, ${row.result} and ${row.failure}: ${row.because}`, () => {
    const [kind, wait] = row.request!.split(" ");
    const settings = {
      resultRetentionMs: Number(row.result) * 1_000,
      failureRetentionMs: Number(row.failure) * 1_000,
    };
    const request = { sync: kind === "runsync", hasWait: wait !== undefined };
    assert.deepEqual(decideRetention({ ...documented, ...bounds }, settings, request), {
      keepMs: Number(row.keep) * 1_000,
      failureKeepMs: Number(row["after failure"]) * 1_000,
    });
  });
}

test("a retention out of bounds is refused by its name", () => {
  assert.deepEqual(
    retentionErrors(bounds, { resultRetentionMs: 0, failureRetentionMs: 5_000 }),
    [],
  );
  assert.deepEqual(retentionErrors(bounds, {}), []);
  const [first, second] = retentionErrors(bounds, {
    resultRetentionMs: 4_999,
    failureRetentionMs: 3_600_001,
  });
  assert.match(first!, /"resultRetentionMs" is 4999 .* between 5000 and 3600000/);
  assert.match(second!, /"failureRetentionMs" is 3600001/);
});
