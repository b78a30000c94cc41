import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../domain/fault.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { Each } from "./each.ts";
import { PartialFailure } from "./loop.ts";

test("the work for each is done although some fails, and the pass says what failed first", async () => {
  const each = new Each();
  const results = [];
  for (const n of [1, 2, 3]) {
    results.push(
      await each.try(async () => {
        if (n < 3) throw new Error(`${n} failed`);
        return n;
      }),
    );
  }
  assert.deepEqual(results, [undefined, undefined, 3]);
  assert.throws(
    () => each.end(500),
    (error) =>
      error instanceof PartialFailure && error.again === 500 && /1 failed/.test(`${error}`),
  );
  assert.equal(new Each().end(500), 500);
});

test("without the store or the driver a pass ends at once", async () => {
  for (const error of [new Fault("store_unavailable"), new DriverUnavailable("it is away")]) {
    const work = () => Promise.reject(error);
    await assert.rejects(new Each().try(work), error);
  }
});
