import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuCountIn } from "./cpu-limit.ts";

test("the refusal of a CPU limit names the CPUs that there are", () => {
  const message = "Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available";
  assert.equal(cpuCountIn(new Error(`(HTTP code 400) bad parameter - ${message}`)), 2);
  assert.equal(cpuCountIn(new Error("no such image")), null);
});
