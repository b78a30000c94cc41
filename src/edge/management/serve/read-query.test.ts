import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import { filterList, instant } from "../../../contract/fields.ts";
import { Fault } from "../../../domain/fault.ts";
import { queryReader } from "./read-query.ts";

const read = queryReader(
  Type.Partial(
    Type.Object({
      all: Type.Boolean(),
      limit: Type.Integer({ minimum: 1, maximum: 9 }),
      status: Type.Enum(["UP", "DOWN"]),
      gpuTypeId: filterList(""),
      state: filterList("", Type.Enum(["UP", "DOWN"])),
      command: Type.Array(Type.String()),
      until: instant,
    }),
  ),
);

test("parameters are converted to their types; empty and unknown ones are ignored", () => {
  const query = { all: "true", limit: "7", status: "UP", gpuTypeId: ["a", "b"], offset: "3" };
  assert.deepEqual(read(query), { all: true, limit: 7, status: "UP", gpuTypeId: ["a", "b"] });
  assert.deepEqual(read({ all: "0", gpuTypeId: "a" }), { all: false, gpuTypeId: ["a"] });
  assert.deepEqual(read({ all: "", limit: undefined }), {});
});

test("an instant may have an offset and fractions of a second", () => {
  for (const until of ["2027-01-31T09:00:00Z", "2027-01-31T09:00:00.123456789+05:30"])
    assert.deepEqual(read({ until }), { until });
});

test("a filter's values may be joined by commas; a command's arguments may hold commas", () => {
  const query = { gpuTypeId: ["a, b", "c,"], state: "UP,DOWN", command: ["a,b"] };
  const values = { gpuTypeId: ["a", "b", "c"], state: ["UP", "DOWN"], command: ["a,b"] };
  assert.deepEqual(read(query), values);
});

const notInstant = (text: string) =>
  `"until" must be an instant such as "2027-01-31T09:00:00Z"; it is "${text}".`;

for (const [query, sentence] of [
  [{ state: "UP,GONE" }, '"state" must be a list, each one of "UP", "DOWN"; it is "UP,GONE".'],
  [{ all: "yes" }, '"all" must be true or false; it is "yes".'],
  [{ limit: "10" }, '"limit" must be a whole number from 1 to 9; it is "10".'],
  [{ limit: "1e0" }, '"limit" must be a whole number from 1 to 9; it is "1e0".'],
  [{ limit: ["1", "2"] }, '"limit" must be a whole number from 1 to 9; it is a list.'],
  [{ status: "up" }, '"status" must be one of "UP", "DOWN"; it is "up".'],
  [{ until: "2026-12-31T23:59:60Z" }, notInstant("2026-12-31T23:59:60Z")],
  [{ until: "2027-01-31T09:00:00Z[UTC]" }, notInstant("2027-01-31T09:00:00Z[UTC]")],
] as const) {
  test(sentence, () => {
    const expected = new Fault("invalid_query", { detail: sentence });
    assert.throws(() => read(query as never), { message: expected.message });
  });
}
