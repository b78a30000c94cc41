// Bodies that are not JSON, and submissions that are JSON but invalid.

import fc from "fast-check";
import { limits } from "../../src/domain/protocol.ts";

const good = '{"input":{"a":[1,2.5e3,"text \\u00e9",true,null,{"b":{}}]},"policy":{"ttl":10000}}';

/** The reason, and the bytes. */
export const brokenBody: fc.Arbitrary<[string, Buffer]> = fc.oneof(
  fc.nat({ max: good.length - 1 }).map((at) => said("cut off", good.slice(0, at))),
  fc.nat({ max: good.length }).map((at) => said("NUL inside", splice(good, at, 0, "\u0000"))),
  fc
    .tuple(fc.nat({ max: good.length }), fc.constantFrom(0x80, 0xc0, 0xed, 0xf5, 0xff))
    .map(([at, byte]): [string, Buffer] => {
      const [before, after] = [good.slice(0, at), good.slice(at)];
      return [
        "not UTF-8",
        Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]),
      ];
    }),
  fc
    .string({ minLength: 1, maxLength: 40 })
    .filter(isNoJson)
    .map((text) => said("no JSON", text)),
  fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((bytes) => Buffer.from(bytes))
    .filter((bytes) => isNoJson(bytes.toString("utf8")))
    .map((bytes): [string, Buffer] => ["noise", bytes]),
  fc
    .constantFrom(
      "{'a':1}",
      "{a:1}",
      "[1,]",
      '{"a":1,}',
      "01",
      "+1",
      ".5",
      "1.",
      '"\t"',
      '"\\x"',
      "nul",
    )
    .map((text) => said("almost JSON", text)),
  fc.constantFrom("[", '{"a":', '{"input":{"a":').map((open) => {
    const deep = limits.depth + 1;
    return said("too deep", `${open.repeat(deep)}1${(open === "[" ? "]" : "}").repeat(deep)}`);
  }),
  fc
    .constantFrom(`${good} x`, `${good}${good}`, `x${good}`)
    .map((text) => said("more than one", text)),
);

function said(why: string, text: string): [string, Buffer] {
  return [why, Buffer.from(text)];
}

function splice(text: string, at: number, cut: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + cut);
}

/** Posts of workers may contain NaN and Infinity, so such bodies prove nothing. */
function isNoJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/-?\b(?:NaN|Infinity)\b/g, "0"));
    return false;
  } catch {
    return text.trim() !== "";
  }
}

const notAnObject = fc.constantFrom("null", "1", '"text"', "[]", "[{}]", "true", "-0.0", '""');
const noInteger = fc.constantFrom("null1", '"5000"', "5000.5", "-1", "1e30", "[]", "{}", "true");

/** Texts that are valid JSON and must be rejected. */
export const wrongSubmission: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("{}", "[]", "null", "1", '"input"', "true", '{"Input":{}}', '{"input ":{}}'),
  notAnObject.map((value) => `{"input":${value}}`),
  notAnObject.map((value) => `{"input":{"a":1},"input":${value}}`), // the last one counts
  notAnObject.map((value) => `{"input":{},"inp\\u0075t":${value}}`),
  fc
    .tuple(fc.constantFrom("ttl", "executionTimeout", "priority"), noInteger)
    .filter(([name, value]) => !(name === "priority" && value === "-1"))
    .map(([name, value]) => `{"input":{},"policy":{"${name}":${value}}}`),
  fc.constantFrom('"yes"', "1", "[]").map((v) => `{"input":{},"policy":{"lowPriority":${v}}}`),
  fc.constantFrom("1", "[]", '"a"', "true").map((value) => `{"input":{},"policy":${value}}`),
  fc.constantFrom("1", "[]", "true", '"a"').map((value) => `{"input":{},"s3Config":${value}}`),
  fc
    .constantFrom(
      '"ftp://x"',
      '"x"',
      '""',
      "1",
      "{}",
      '"http://"',
      `"http://x/${"y".repeat(2048)}"`,
    )
    .map((value) => `{"input":{},"webhook":${value}}`),
);
