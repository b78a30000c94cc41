// Tests of reading an engine's log stream: split anywhere, two outputs mixed, lines in pieces.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_LINE_CHARS } from "../../driver.ts";
import { LinesAfterMark, LogReader, readMark, secondsOf } from "./log-reader.ts";

const stamp = (n: number) => `2026-01-31T17:59:00.${String(n).padStart(9, "0")}Z`;

function frame(output: number, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = output;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

function read(bytes: Buffer, cuts: number[] = []) {
  const reader = new LogReader();
  const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  const lines = places.slice(1).flatMap((to, n) => reader.feed(bytes.subarray(places[n]!, to)));
  return [...lines, ...reader.end()];
}

test("lines are complete and in order wherever the stream is split", () => {
  const bytes = Buffer.concat([
    frame(1, `${stamp(1)} one\n`),
    frame(2, `${stamp(2)} wrong\r\n`),
    frame(1, `${stamp(3)} lo`),
    frame(2, `${stamp(4)} é\n`),
    frame(1, `${stamp(5)} ng\n`),
    frame(1, `${stamp(6)} a\n${stamp(6)} b\n`),
    frame(1, `${stamp(7)} open`),
  ]);
  const expected = ["one", "wrong", "é", "long", "a", "b", "open"];
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
      const lines = read(bytes, cuts);
      assert.deepEqual(
        lines.map(({ text }) => text),
        expected,
      );
      assert.equal(new Set(lines.map(({ mark }) => mark)).size, lines.length);
      assert.equal(lines[0]!.at, Date.parse("2026-01-31T17:59:00.000Z"));
    }),
  );
});

test("a line without an end is returned in pieces", () => {
  const piece = `${stamp(1)} ${"x".repeat(16_384)}`;
  const lines = read(Buffer.concat(Array.from({ length: 10 }, () => frame(1, piece))));
  assert.deepEqual(
    lines.map(({ text }) => text.length),
    [MAX_LINE_CHARS, MAX_LINE_CHARS, 2 * 16_384],
  );
});

test("a reader that continues after a mark gets the lines after it, each once", () => {
  const times = [1, 2, 2, 2, 3];
  const lines = read(Buffer.concat(times.map((n, k) => frame(1, `${stamp(n)} ${k}\n`))));
  lines.forEach((line, n) => {
    const mark = readMark(line.mark)!;
    // The engine returns all lines with the mark's time again.
    const again = lines.slice(times.indexOf(times[n]!));
    assert.deepEqual(new LinesAfterMark(mark).of(again), lines.slice(n + 1), line.mark);
  });
  assert.deepEqual(new LinesAfterMark(null).of(lines), lines);
});

test("only a valid mark is read as a mark", () => {
  assert.equal(secondsOf("1970-01-01T00:00:02.5Z"), "2.500000000");
  assert.equal(secondsOf("1970-01-01T01:00:02+01:00"), "2.000000000");
  for (const text of ["", "x", "7", "2026/1", "2026-13-99T00:00:00Z/1"]) {
    assert.equal(readMark(text), null, text);
  }
});
