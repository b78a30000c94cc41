import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyTable } from "../../base/json/keys.ts";
import { scan } from "../../base/json/scanner.ts";
import { readError } from "./read-error.ts";

function read(json: string): string | null {
  const body = Buffer.from(`{"error":${json}}`);
  const { body: bytes, members } = scan(body, { maxDepth: 9, keys: new KeyTable(["error"]) });
  return readError(bytes, members.get("error"));
}

test("an error of 256 kB is read whole", () => {
  const error = "é".repeat(131_071);
  assert.equal(read(JSON.stringify(error)), error);
});

for (const unit of ["é", "\\u00e9", '\\"', "\\\\", "\\ud83d\\ude00", "😀"]) {
  test(`a longer error keeps its beginning and its end, wherever it is cut: ${unit}`, () => {
    const plain = JSON.parse(`"${unit}"`) as string;
    for (let shift = 0; shift < 12; shift++) {
      const error = read(`"${"a".repeat(shift)}${unit.repeat(200_000)}ValueError: x"`)!;
      const [beginning = "", between = "", end = ""] = error.split("\n");
      assert.match(between, /^\.\.\. \d+ bytes of the error are left out \.\.\.$/);
      assert.ok(beginning.startsWith("a".repeat(shift) + plain.repeat(10_000)));
      assert.ok(end.endsWith(`${plain.repeat(10_000)}ValueError: x`));
      assert.ok(error.length < 263_000, `${error.length}`);
      assert.ok(error.isWellFormed());
    }
  });
}

test("half of a surrogate pair, which no encoding has, is read as the store would keep it", () => {
  assert.equal(read('"No such file: caf\\udce9"'), "No such file: caf\ufffd");
});

test("a long error that is no string is cut as text", () => {
  const error = read(`{"trace":"${"x".repeat(300_000)}"}`)!;
  assert.match(
    error,
    /^\{"trace":"x+\n\.\.\. 37868 bytes of the error are left out \.\.\.\nx+"\}$/,
  );
});
