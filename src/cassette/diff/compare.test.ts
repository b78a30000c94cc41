// Which answers differ in their shape, and how it is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedBody } from "../format/cassette.ts";
import { compareAnswers } from "./compare.ts";

const json = (value: unknown): RecordedBody => ({ json: value });

const examples: [name: string, before: unknown, after: unknown, sentences: string[]][] = [
  ["other values of the same types", { a: 1, b: ["x"] }, { a: 2, b: ["y", "z"] }, []],
  ["a member that is gone", { a: { b: 1 } }, { a: {} }, ["a.b is missing"]],
  ["a member that is new", { a: 1 }, { a: 1, b: 2 }, ["b is new"]],
  ["another type", { a: [{ b: 1 }] }, { a: [{ b: "1" }] }, ["a[].b is string instead of number"]],
  ["null where there was a value", { a: 1 }, { a: null }, ["a is null instead of number"]],
  ["a value where there was null", { a: null }, { a: { b: 1 } }, []],
  ["a type that some items have", [{ a: 1 }, { a: null }], [{ a: null }, { a: null }], []],
  ["a member that some items have", [{ a: 1 }, {}], [{}], []],
  ["a member that some items lack", [{ a: 1 }], [{ a: 1 }, {}], ["[].a is missing in some items"]],
  ["an empty list", [{ a: 1 }], [], []],
  ["a number for a measured number", { a: "{{number}}" }, { a: 4 }, []],
  ["a time for a time", { a: "{{time +2h seconds}}" }, { a: "2026-01-01T00:00:00Z" }, []],
  ["text for a time", { a: "{{time}}" }, { a: "soon" }, ["a is string instead of time"]],
  ["text for a number", { a: "{{time epoch-ms}}" }, { a: "1" }, ["a is string instead of number"]],
  [
    "another state",
    { status: "COMPLETED" },
    { status: "FAILED" },
    ["status is FAILED instead of COMPLETED"],
  ],
  ["a state on the way", { status: "IN_QUEUE" }, { status: "IN_PROGRESS" }, []],
  ["a list for an object", {}, [], ["the body is list instead of object"]],
];

for (const [name, before, after, sentences] of examples) {
  test(`${name}: ${sentences.join(", ") || "no difference"}`, () => {
    const recorded = { status: 200, headers: {}, body: json(before) };
    const found = compareAnswers(recorded, { status: 200, body: json(after) });
    assert.deepEqual(
      found.map(({ sentence }) => sentence),
      sentences,
    );
  });
}

test("another status or another kind of body is the only difference", () => {
  const recorded = { status: 200, headers: {}, body: json({ a: 1 }) };
  const sentenceOf = (status: number, body?: RecordedBody) =>
    compareAnswers(recorded, { status, ...(body && { body }) }).map((each) => each.sentence);
  assert.deepEqual(sentenceOf(404, json({})), ["status 404 instead of 200"]);
  assert.deepEqual(sentenceOf(200, { text: "a" }), ["text instead of JSON"]);
  assert.deepEqual(sentenceOf(200), ["no body instead of JSON"]);
});
