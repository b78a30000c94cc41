import assert from "node:assert/strict";
import { test } from "node:test";
import { decideStart, type StartTimeRequest } from "./start-time.ts";

const NOW = Date.parse("2027-01-31T08:30:00Z");

const starts: [StartTimeRequest, number | null][] = [
  [{}, null],
  [{ delay: 0 }, null],
  [{ delay: 1.5 }, NOW + 1_500],
  [{ delay: 2_592_000 }, NOW + 2_592_000_000],
  [{ runAt: "2027-01-31T08:30:00Z" }, null],
  [{ runAt: "1999-01-01T00:00:00Z" }, null],
  [{ runAt: "2027-01-31T08:30:01Z" }, NOW + 1_000],
  [{ runAt: "2027-01-31T10:30:00.250+01:00" }, NOW + 3_600_250],
  [{ runAt: "2027-03-02T08:30:00Z" }, NOW + 2_592_000_000],
];

for (const [request, at] of starts) {
  test(`${JSON.stringify(request)}: ${at === null ? "at once" : `${at - NOW} ms later`}`, () => {
    assert.equal(decideStart(request, NOW), at);
  });
}

const refused: [StartTimeRequest, RegExp][] = [
  [{ delay: 1, runAt: "2027-01-31T08:30:01Z" }, /exclude each other/],
  [{ runAt: "2027-03-02T08:30:00.001Z" }, /at most 30 days ahead, .* 2027-03-02T08:30:00.000Z/],
  [{ runAt: "tomorrow" }, /ISO 8601 .* it is "tomorrow"/],
  [{ runAt: "2027-02-01" }, /with an offset/],
  [{ runAt: "2027-02-01T08:00:00" }, /with an offset/],
  [{ runAt: "2027-13-01T08:00:00Z" }, /it is "2027-13-01/],
];

for (const [request, sentence] of refused) {
  test(`${JSON.stringify(request)} is refused`, () => {
    assert.throws(
      () => decideStart(request, NOW),
      (fault: Error) => sentence.test(fault.message),
    );
  });
}
