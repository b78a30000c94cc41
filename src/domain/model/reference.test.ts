import assert from "node:assert/strict";
import test from "node:test";
import { canonicalReferences, parseModelReference, referenceErrors } from "./reference.ts";

const references: [text: string, canonical: string][] = [
  ["Qwen/Qwen3-0.6B", "https://huggingface.co/Qwen/Qwen3-0.6B:main"],
  [" Qwen/Qwen3-0.6B ", "https://huggingface.co/Qwen/Qwen3-0.6B:main"],
  ["a/b:main", "https://huggingface.co/a/b:main"],
  ["a/b:v1.0", "https://huggingface.co/a/b:v1.0"],
  ["a/b:refs/pr/1", "https://huggingface.co/a/b:refs/pr/1"],
  ["https://huggingface.co/a/b", "https://huggingface.co/a/b:main"],
  ["https://huggingface.co/a/b/", "https://huggingface.co/a/b:main"],
  ["https://huggingface.co/a/b:dev", "https://huggingface.co/a/b:dev"],
  ["https://huggingface.co/a/b/tree/dev", "https://huggingface.co/a/b:dev"],
  ["https://huggingface.co/a/b/tree/main/", "https://huggingface.co/a/b:main"],
  ["https://hf.co/a/b", "https://huggingface.co/a/b:main"],
  ["huggingface.co/a/b", "https://huggingface.co/a/b:main"],
];

for (const [text, canonical] of references) {
  test(`${text} is ${canonical}`, () => {
    assert.deepEqual(canonicalReferences([text]), [canonical]);
    assert.deepEqual(canonicalReferences([canonical]), [canonical]);
    assert.deepEqual(referenceErrors([text]), []);
  });
}

const noReferences = [
  "",
  "a",
  "/a",
  "a/",
  "a/b/c",
  "a/b:",
  "a/b:x:y",
  "../b",
  "a/..",
  "a/b:../c",
  "a/b:/c",
  "a b/c",
  "a/b--c",
  "a--x/b",
  "a/.b",
  "a/b.",
  "-a/b",
  "a/b:x//y",
  "a/b?x=1",
  "a/b/blob/main",
  "https://example.org/a/b",
  "http://169.254.169.254/a/b",
  "s3://a/b",
  "a/b/tree",
  "a/b\0",
  "a".repeat(97).concat("/b"),
];

for (const text of noReferences) {
  test(`${JSON.stringify(text.slice(0, 40))} is not a reference`, () => {
    assert.equal(parseModelReference(text), null);
    assert.match(referenceErrors([text])[0]!, /is not a model of the Hugging/);
  });
}

test("an endpoint has at most eight models, and one revision of each", () => {
  const nine = Array.from({ length: 9 }, (_, n) => `a/m${n}`);
  assert.match(referenceErrors(nine).join(), /at most 8/);
  assert.deepEqual(referenceErrors(nine.slice(1)), []);
  assert.match(referenceErrors(["a/b", "a/b:v2"]).join(), /two revisions of a/);
});
