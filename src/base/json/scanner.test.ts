// Tests of the members that a scan extracts from a body.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { options, scanInChunks } from "../../../test/fixtures/json-scan.ts";
import { KeyTable } from "./keys.ts";
import { scan } from "./scanner.ts";

const read = (text: string, scanOptions = options) => scan(Buffer.from(text), scanOptions);

function cut(text: string, key: string, scanOptions = options): string | undefined {
  const { members, body } = read(text, scanOptions);
  const member = members.get(key);
  return member && body.cut(member).toString();
}

describe("a member extracted from a body", () => {
  it("is byte for byte as sent", () => {
    const values = [
      "9007199254740993",
      "-0",
      "1E+400",
      `0.${"1".repeat(500)}`,
      '{"__proto__": {"a":1}, "constructor":[]}',
      '"\\u0000\\ud800 \\/ \u{1f600} \u00e4"',
      "[ ]",
      "{\n}",
      '""',
      "true",
      "false",
      "null",
    ];
    for (const value of values) {
      assert.equal(cut(` { "a" : [] ,"input"\t:\r\n ${value} , "b":1}`, "input"), value);
      assert.equal(cut(`{"input":${value}}`, "input"), value);
    }
  });

  it("is found by its decoded key, the last of equal keys, at the top level only", () => {
    assert.equal(cut('{"\\u0069np\\u0075t":1}', "input"), "1");
    assert.equal(cut('{"input":1,"input":{"input":2}}', "input"), '{"input":2}');
    assert.equal(cut('{"other":{"input":1},"list":[{"input":2}]}', "input"), undefined);
    assert.equal(cut('{"__proto__":1}', "__proto__"), "1");
    assert.equal(cut('{"inpu":1,"inputs":2,"in\\"ut":3,"":4}', "input"), undefined);
    assert.equal(cut('["input",1]', "input"), undefined);
  });

  it("is kept only if its key is in the table", () => {
    const many = Array.from({ length: 100_000 }, (_, k) => `"k${k}":${k}`).join(",");
    const { members } = read(`{${many},"input":"x"}`);
    assert.deepEqual([...members.keys()], ["input"]);
    assert.equal(read("{}", { maxDepth: 1, keys: new KeyTable([]) }).members.size, 0);
  });

  it("can have a key beyond ASCII", () => {
    const scanOptions = { maxDepth: 2, keys: new KeyTable(["schlüssel", "\u{1f511}"]) };
    const { members } = read('{"schlüssel":1,"\\ud83d\\uDD11":2}', scanOptions);
    assert.deepEqual([...members.keys()], ["schlüssel", "\u{1f511}"]);
    assert.equal(cut('{"\u{1f511}":3}', "\u{1f511}", scanOptions), "3");
  });

  it("can be the complete value, without the white space around it", () => {
    const scanned = read("\ufeff \n[1, 2] \t");
    assert.equal(scanned.kind, "array");
    assert.equal(scanned.bytes, 3 + 2 + 6 + 2);
    assert.equal(scanned.body.cut(scanned).toString(), "[1, 2]");
    for (const number of ["0", "-12", "1.50", "1e5"]) {
      const { body, ...span } = read(number);
      assert.equal(body.cut(span).toString(), number);
    }
  });

  it("does not include the next member, whose long key is spread over chunks", () => {
    const text = `{"input":1,"${"k".repeat(500)}":2}`;
    const { members, body } = scanInChunks(Buffer.from(text), [7]);
    assert.equal(body.cut(members.get("input")!).toString(), "1");
  });

  it("shares the memory of the chunk that contains it", () => {
    const bytes = Buffer.from('{"input":[1,2,3]}');
    const { members, body } = scan(bytes, options);
    assert.equal(body.cut(members.get("input")!).buffer, bytes.buffer);
  });

  it("can be viewed part by part, wherever its chunks end", () => {
    const value = JSON.stringify({ text: "äb".repeat(40) });
    const { members, body } = scanInChunks(Buffer.from(`{"input":${value}}`), [7]);
    const view = body.view(members.get("input")!);
    const parts: Buffer[] = [];
    for (let at = 0; at < view.length; at += 10) parts.push(view.subarray(at, at + 10));
    assert.ok(parts.every((part, n) => part.length === 10 || n === parts.length - 1));
    assert.equal(Buffer.concat(parts).toString(), value);
    assert.equal(view.subarray(0).toString(), value);
  });

  it("survives a body sent byte by byte", () => {
    const value = JSON.stringify({
      text: "ä\u{1f600}\\\n".repeat(500),
      list: [1.5e3, -0.25, null],
    });
    const { members, body } = scanInChunks(Buffer.from(`{"input":${value},"output":-1}`), [1]);
    assert.equal(body.cut(members.get("input")!).toString(), value);
    assert.equal(body.cut(members.get("output")!).toString(), "-1");
  });
});
