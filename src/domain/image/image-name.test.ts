import assert from "node:assert/strict";
import { it } from "node:test";
import { imageNameErrors } from "./image-name.ts";

const HEX = "0123456789abcdef".repeat(4);

it("accepts what an engine accepts", () => {
  const names = [
    "img",
    "img:1",
    "acme/llm",
    "acme/llm:V1_a.b-c",
    "a__b/c--d.e_f:0",
    "localhost/a",
    "ghcr.io/acme/llm:1",
    "127.0.0.1:5000/a/b",
    "Registry/a",
    "[::1]:5000/a",
    "host:5000/a:1",
    `img@sha256:${HEX}`,
    `ghcr.io/a/b:1@sha256:${HEX}`,
    `img@sha512:${HEX}${HEX}`,
    "docker.io/library/img",
    "a".repeat(247),
    `ghcr.io/${"a".repeat(255)}:1`,
  ];
  for (const name of names) assert.deepEqual(imageNameErrors(name), [], name);
});

const example = /it takes an image name such as/;
for (const [name, reason] of [
  ["", example],
  ["two words", example],
  ["acme/", example],
  ["/acme", example],
  ["acme//llm", example],
  ["-acme", example],
  ["acme_/llm", example],
  ["acme/llm\n", example],
  ["https://ghcr.io/acme/llm", example],
  ["ghcr..io/acme", example],
  ["host:port/acme", example],
  [HEX, example],
  ["Img", /is lower-case/],
  ["acme/LLM:1", /is lower-case/],
  ["img:", /its tag takes/],
  ["img:a:b", /its tag takes/],
  [`img:${"a".repeat(129)}`, /its tag takes/],
  ["img@sha256:00", /its digest takes/],
  [`img@sha512:${HEX}`, /its digest takes/],
  [`img@sha256:${HEX}0`, /its digest takes/],
  [`img@sha256:${HEX}@sha256:${HEX}`, /its digest takes/],
  [`ghcr.io/${"a".repeat(256)}`, /up to 255 characters/],
  ["a".repeat(248), /up to 255 characters/],
  [`docker.io/${"a".repeat(248)}`, /up to 255 characters/],
] as const) {
  it(`refuses ${JSON.stringify(name.slice(0, 30))} and says what would be right`, () => {
    const [sentence = "", ...others] = imageNameErrors(name);
    assert.deepEqual(others, []);
    assert.match(sentence, reason);
    assert.ok(sentence.length < 250);
  });
}
