import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../domain/fault.ts";
import { DriverUnavailable, StartRefused } from "../../drivers/driver.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";
import { createLog } from "./log.ts";

function linesOf(...errors: Error[]) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  for (const err of errors) log.warn({ err, pod: "p1" }, "cannot start a Pod");
  return lines.map((line) => JSON.parse(line));
}

test("a refusal of an engine has its words and no stack", () => {
  const refused = new StartRefused("the image is not there", "image_not_found", "no such tag");
  const [start, engine] = linesOf(refused, new DriverUnavailable("the engine does not answer"));
  assert.deepEqual(start.err, {
    type: "StartRefused",
    message: "the image is not there",
    why: "image_not_found",
    engine: "no such tag",
  });
  assert.deepEqual(engine.err, {
    type: "DriverUnavailable",
    message: "the engine does not answer",
  });
});

test("an expected error has the fields that are its own, unless they are empty", () => {
  const [api, fault] = linesOf(
    new ApiError(403, "Forbidden", "pods is forbidden"),
    new Fault("too_many_queued", { limit: 100 }),
  );
  assert.deepEqual(api.err, {
    type: "ApiError",
    message: "pods is forbidden",
    status: 403,
    reason: "Forbidden",
  });
  assert.deepEqual(Object.keys(fault.err).sort(), ["code", "message", "status", "type"]);
});

test("an error that nothing expects has its stack and its causes", () => {
  const [line] = linesOf(new TypeError("no such field", { cause: new Error("a wire") }));
  assert.equal(line.err.type, "TypeError");
  assert.match(line.err.message, /no such field: a wire/);
  assert.match(line.err.stack, /log\.test\.ts/);
});
