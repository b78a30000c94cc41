import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { LogFile } from "./log-file.ts";
import { logLine } from "./worker-log.ts";

const folder = mkdtempSync(path.join(tmpdir(), "freehold-log-"));
after(() => rmSync(folder, { recursive: true }));

test("a log is followed line by line, also after a truncation", () => {
  const file = path.join(folder, "log");
  const log = new LogFile(file);
  assert.deepEqual(log.read(), []);
  writeFileSync(file, "one\ntwo");
  assert.deepEqual(log.read(), ["one"]);
  const heart = Buffer.from("♥");
  appendFileSync(file, heart.subarray(0, 1));
  assert.deepEqual(log.read(), []);
  appendFileSync(file, heart.subarray(1));
  appendFileSync(file, "\r\n\nthree\n");
  assert.deepEqual(log.read(), ["two♥", "", "three"]);
  assert.deepEqual(log.read(), []);
  truncateSync(file, 0);
  appendFileSync(file, "four\nfive");
  assert.deepEqual(log.read(), ["four"]);
  assert.deepEqual(log.read(true), ["five"]);
});

const rows: [text: string, shown: string][] = [
  ["plain", "plain"],
  ['{"requestId": null, "message": "Started.", "level": "INFO"}', "INFO  Started."],
  ['{"requestId": "j-1", "message": "x", "level": "ERROR"}', "ERROR j-1  x"],
  ['{"a": 1}', '{"a": 1}'],
  ["{broken", "{broken"],
];
for (const [text, shown] of rows) {
  test(`${text} is shown as ${shown}`, () => assert.equal(logLine(text), shown));
}
