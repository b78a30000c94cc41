// Tests of reading the end of a log and of log rotation.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, it } from "node:test";
import fc from "fast-check";
import { rotateLog } from "./log-rotation.ts";
import { tailLines as tailOf } from "./log-tail.ts";

const folder = mkdtempSync(path.join(tmpdir(), "freehold-log-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const log = path.join(folder, "log");
const tailLines = async (paths: string[], tail: number) =>
  (await tailOf(paths, tail)).map(({ text }) => text);
const older = path.join(folder, "log.1");

it("the tail is the same wherever the log is split into two files", async () => {
  const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("x".repeat(70_000))));
  await fc.assert(
    fc.asyncProperty(text, fc.nat(12), fc.nat(), fc.boolean(), async (raw, tail, splitAt, open) => {
      const lines = raw.map((line) => line.replace(/[\r\n]/g, ""));
      const whole = Buffer.from(lines.map((line) => `${line}\n`).join("") + (open ? "open" : ""));
      const split = whole.length === 0 ? 0 : splitAt % whole.length;
      writeFileSync(older, whole.subarray(0, split));
      writeFileSync(log, whole.subarray(split));
      const all = open ? [...lines, "open"] : lines;
      assert.deepEqual(
        await tailLines([older, log], tail),
        all.slice(Math.max(0, all.length - tail)),
      );
    }),
    { numRuns: 150 },
  );
});

it("a line's text has no carriage return at its end, and a missing file is empty", async () => {
  writeFileSync(log, "one\r\ntwo\r\n");
  assert.deepEqual(await tailLines([path.join(folder, "none"), log], 5), ["one", "two"]);
  for (const tail of [0, -1, Number.NaN]) assert.deepEqual(await tailLines([log], tail), []);
});

it("rotation keeps whole lines from the end of the log", async () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}`);
  writeFileSync(log, `${lines.join("\n")}\n`);
  assert.equal(await rotateLog(log, 1_000_000), 0);
  assert.ok((await rotateLog(log, 1000)) > 8_000);
  assert.equal(await rotateLog(log, 1000), 0);
  const tail = await tailLines([older, log], 10_000);
  assert.ok(tail.length > 80 && tail.length <= 125);
  assert.deepEqual(tail, lines.slice(-tail.length));
});
