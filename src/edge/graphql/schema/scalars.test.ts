import assert from "node:assert/strict";
import { test } from "node:test";
import { scalars } from "./scalars.ts";

const rows: [text: string, instant: string][] = [
  ["2099-01-31", "2099-01-31T00:00:00.000Z"],
  ["2099-01-31T18:00:00", "2099-01-31T18:00:00.000Z"],
  ["2099-01-31 18:00", "2099-01-31T18:00:00.000Z"],
  ["2099-01-31T18:00:00.5Z", "2099-01-31T18:00:00.500Z"],
  ["2099-01-31T18:00:00-05:00", "2099-01-31T23:00:00.000Z"],
];

test("a DateTime without an offset is in UTC, wherever the service runs", (t) => {
  const { TZ } = process.env;
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = "America/New_York";
  for (const [text, instant] of rows)
    assert.equal(scalars.DateTime!.parseValue!(text), instant, text);
});

test("an empty DateTime is one that is not set", () => {
  assert.equal(scalars.DateTime!.parseValue!(""), null);
});
