// What a handler of an event throws is reported once, and nothing else happens.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { systemClock } from "./clock.ts";
import { guarded, reportHandlerErrors } from "./guarded.ts";

const lines: string[] = [];
reportHandlerErrors({
  info: () => {},
  warn: () => {},
  error: (facts, message) => {
    lines.push(`${message}: ${(facts as { err: Error }).err.message}`);
  },
});

test("an input that a handler cannot take is dropped, and the next one is handled", async () => {
  const source = new EventEmitter();
  const values: unknown[] = [];
  source.on(
    "data",
    guarded("a socket", (text: string) => values.push(JSON.parse(text))),
  );
  source.on(
    "data",
    guarded("a socket", async (text: string) => {
      await null;
      if (text === "late") throw new Error("too late");
    }),
  );
  for (const text of ["1", "{", "{", "late", "2"]) source.emit("data", text);
  await yieldToOthers();
  assert.deepEqual(values, [1, 2]);
  assert.equal(lines.length, 3, lines.join("\n"));
  assert.ok(lines.includes("the handler of a socket failed; the event is dropped: too late"));
});

test("a timer's callback that throws does not end the process", async () => {
  lines.length = 0;
  await new Promise<void>((resolve) => {
    systemClock.after(0, () => {
      resolve();
      throw new Error("in a timer");
    });
  });
  assert.deepEqual(lines, ["the handler of a timer failed; the event is dropped: in a timer"]);
});
