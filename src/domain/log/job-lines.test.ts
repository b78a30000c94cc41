// Tests of the labels of log lines.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  JobLines,
  type JobSpan,
  joinLines,
  MAX_JOB_LOG,
  mayBeOfJob,
  parseLines,
  piecesOf,
} from "./job-lines.ts";

const library = (requestId: string, message: string, level = "INFO") =>
  JSON.stringify({ requestId, message, level });

/** Lines at instants 0, 10, 20 ..., and what they are labelled with. */
function labelled(texts: string[], spans: JobSpan[] = []): string[] {
  const lines = new JobLines();
  texts.forEach((text, n) => {
    lines.add({ mark: "", text, from: n * 10, to: n * 10 });
  });
  return lines.take(spans, 1e9).lines.map(({ jobId, text }) => `${jobId}: ${text}`);
}

test("a line may be of a job if it was written in its time and names no other", () => {
  const span = { jobId: "b", from: 10, to: 20 };
  const texts = ["plain", library("b", "own"), library("a", "other"), '{"requestId": null}'];
  const may = texts.map((text) => mayBeOfJob({ at: 15, text }, span));
  assert.deepEqual(may, [true, true, false, true]);
  const times = [9, 10, 20, 21].map((at) => mayBeOfJob({ at, text: "plain" }, span));
  assert.deepEqual(times, [false, true, true, false]);
  assert.ok(mayBeOfJob({ at: 99, text: "plain" }, { ...span, to: null }));
});

test("a library's line has the job that it names, with its message and level", () => {
  const lines = new JobLines();
  lines.add({ mark: "", text: library("a", "hello", "ERROR"), from: 1, to: 2 });
  assert.deepEqual(lines.take([], 1e9).lines, [
    { jobId: "a", at: 2, text: "hello", level: "ERROR" },
  ]);
});

test("a line with further members keeps its text", () => {
  const text = JSON.stringify({ requestId: "a", message: "hello", step: 3 });
  assert.deepEqual(labelled([text]), [`a: ${text}`]);
});

for (const text of ['{"requestId": null, "message": "x"}', '{"requestId"', '{"requestId": 7}']) {
  test(`names no job: ${text}`, () => assert.deepEqual(labelled([text]), []));
}

test("a plain line between the start and the end of the only job belongs to it", () => {
  const texts = ["before", library("a", "Started."), "in a", library("a", "Finished."), "after"];
  assert.deepEqual(labelled(texts), ["a: Started.", "a: in a", "a: Finished."]);
});

test("a plain line belongs to no job while two run", () => {
  const texts = [library("a", "Started."), library("b", "Started."), "whose?"];
  const spans = [
    { jobId: "a", from: 0, to: null },
    { jobId: "b", from: 0, to: null },
  ];
  assert.deepEqual(labelled(texts, spans), ["a: Started.", "b: Started."]);
});

test("without a library, the only job at the time has the line", () => {
  const spans = [
    { jobId: "a", from: 10, to: 15 },
    { jobId: "b", from: 20, to: null },
  ];
  assert.deepEqual(labelled(["import", "in a", "in b"], spans), ["a: in a", "b: in b"]);
});

test("a line before the start of a job, or of no job, is not the job's", () => {
  const spans = [{ jobId: "a", from: 0, to: null }];
  const none = JSON.stringify({ requestId: null, message: "polls", level: "INFO" });
  assert.deepEqual(labelled(["loading", library("a", "Started."), none], spans), ["a: Started."]);
});

test("a line without an exact time waits until the start of its job must have been read", () => {
  const spans = [{ jobId: "a", from: 15, to: null }];
  const lines = new JobLines();
  lines.add({ mark: "1", text: library("z", "x"), from: 0, to: 5 });
  lines.add({ mark: "2", text: "loading", from: 10, to: 20 });
  assert.equal(lines.take(spans, 15).mark, "1");
  lines.add({ mark: "3", text: library("a", "Started."), from: 20, to: 30 });
  const { lines: taken, mark } = lines.take(spans, 25);
  assert.deepEqual([taken.map(({ text }) => text), mark], [["Started."], "3"]);
});

test("a line that could be of two jobs has none, unless one has ended in the log", () => {
  const spans = [
    { jobId: "a", from: 0, to: 15 },
    { jobId: "b", from: 15, to: null },
  ];
  const lines = new JobLines();
  lines.add({ mark: "", text: "whose?", from: 10, to: 20 });
  lines.add({ mark: "", text: library("a", "Finished."), from: 10, to: 20 });
  lines.add({ mark: "", text: "in b", from: 10, to: 20 });
  assert.deepEqual(
    lines.take(spans, 1e9).lines.map(({ text }) => text),
    ["Finished.", "in b"],
  );
});

test("a job that left its worker without a last line does not hide the next one", () => {
  const lines = new JobLines();
  const running = [{ jobId: "b", from: 5, to: null }];
  for (const text of [library("a", "Started."), library("b", "Started."), "in b"]) {
    lines.add({ mark: "", text, from: 10, to: 10 });
  }
  assert.equal(lines.take(running, 1e9).lines.at(-1)?.text, "in b");
  lines.add({ mark: "", text: "in b again", from: 20, to: 20 });
  assert.equal(lines.needsSpans, false);
});

test("a piece has the newest lines within the limits, and how many are left out", () => {
  const many = Array.from({ length: MAX_JOB_LOG.lines + 5 }, (_, n) => ({
    jobId: "a",
    at: n,
    text: `${n}`,
    level: null,
  }));
  const [piece] = piecesOf(many);
  assert.deepEqual([piece?.omitted, piece?.lines.length], [5, MAX_JOB_LOG.lines]);
  const long = { jobId: "b", at: 0, text: "x".repeat(100_000), level: null };
  const [cut] = piecesOf([long, long, long, long]);
  assert.deepEqual([cut?.omitted, cut?.chars], [2, 200_000]);
});

test("a flood of lines drops the oldest", () => {
  const lines = new JobLines();
  for (let n = 0; n < 50_000; n++)
    lines.add({ mark: "", text: library("a", `${n}`), from: n, to: n });
  const left = lines.take([], 1e9).lines;
  assert.ok(left.length <= 20_001);
  assert.equal(left.at(-1)?.text, "49999");
});

test("stored lines read as they were", () => {
  const lines = [
    { at: 1, text: "a\u0000\ud800", level: null },
    { at: 2, text: "", level: "WARN" },
  ];
  assert.deepEqual(parseLines(joinLines(lines)), lines);
});
