import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import { Fault } from "../../domain/fault.ts";
import { queryReader } from "./read-query.ts";

const read = queryReader(
  Type.Partial(
    Type.Object({
      all: Type.Boolean(),
      limit: Type.Integer({ minimum: 1, maximum: 9 }),
      status: Type.Enum(["UP", "DOWN"]),
      gpuTypeId: Type.Array(Type.String()),
    }),
  ),
);

test("each parameter is brought to its type; empty and unknown ones are as if not sent", () => {
  const given = { all: "true", limit: "7", status: "UP", gpuTypeId: ["a", "b"], offset: "3" };
  assert.deepEqual(read(given), { all: true, limit: 7, status: "UP", gpuTypeId: ["a", "b"] });
  assert.deepEqual(read({ all: "0", gpuTypeId: "a" }), { all: false, gpuTypeId: ["a"] });
  assert.deepEqual(read({ all: "", limit: undefined }), {});
});

for (const [query, says] of [
  [{ all: "yes" }, '"all" must be true or false; it is "yes".'],
  [{ limit: "10" }, '"limit" must be a whole number from 1 to 9; it is "10".'],
  [{ limit: "1e0" }, '"limit" must be a whole number from 1 to 9; it is "1e0".'],
  [{ limit: ["1", "2"] }, '"limit" must be a whole number from 1 to 9; it is a list.'],
  [{ status: "up" }, '"status" must be one of "UP", "DOWN"; it is "up".'],
] as const) {
  test(says, () => {
    const expected = new Fault("invalid_query", { detail: says });
    assert.throws(() => read(query as never), { message: expected.message });
  });
}
