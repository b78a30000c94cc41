import assert from "node:assert/strict";
import { test } from "node:test";
import { readRange } from "./byte-range.ts";
import { checksumDigest } from "./checksum.ts";
import { sortKeys } from "./key-order.ts";
import { readKey } from "./object-key.ts";

const valid: [key: string, names: string[], isFolder: boolean][] = [
  ["a", ["a"], false],
  ["a/b c+%2F#?ü😀", ["a", "b c+%2F#?ü😀"], false],
  ["a/", ["a"], true],
  ["...", ["..."], false],
  [".hidden", [".hidden"], false],
];

for (const [key, names, isFolder] of valid) {
  test(`a key: ${key}`, () => assert.deepEqual(readKey(key), { key, names, isFolder }));
}

const invalid: [key: string, code: string][] = [
  ["", "InvalidArgument"],
  ["/", "InvalidArgument"],
  ["/a", "InvalidArgument"],
  ["a//b", "InvalidArgument"],
  ["..", "InvalidArgument"],
  ["a/../b", "InvalidArgument"],
  ["a/.", "InvalidArgument"],
  ["a\0b", "InvalidArgument"],
  ["a\nb", "InvalidArgument"],
  ["\ud800", "InvalidArgument"],
  [".freehold-uploads/x", "InvalidArgument"],
  ["a".repeat(256), "KeyTooLongError"],
  ["abcdefg/".repeat(129), "KeyTooLongError"],
];

for (const [key, code] of invalid) {
  test(`no key: ${JSON.stringify(key.slice(0, 20))}`, () =>
    assert.throws(() => readKey(key), { code }));
}

test("keys are ordered by their UTF-8 bytes", () => {
  assert.deepEqual(sortKeys(["😀", "\uff01", "a/", "a-b", "a"]), [
    "a",
    "a-b",
    "a/",
    "\uff01",
    "😀",
  ]);
});

test("a range is one of bytes within the object", () => {
  assert.deepEqual(readRange("bytes=0-99", 10), { first: 0, last: 9 });
  assert.deepEqual(readRange("bytes=-3", 10), { first: 7, last: 9 });
  assert.deepEqual(readRange("bytes=9-", 10), { first: 9, last: 9 });
  for (const ignored of [undefined, "", "bytes=-", "bytes=3-2", "bytes=0-1,3-4", "lines=1-2"]) {
    assert.equal(readRange(ignored, 10), null, ignored);
  }
  for (const outside of ["bytes=10-", "bytes=-0"]) {
    assert.throws(() => readRange(outside, 10), { code: "InvalidRange" });
  }
});

test("checksums have their published check values", () => {
  const of = (algorithm: "CRC32" | "CRC32C" | "CRC64NVME") => {
    const digest = checksumDigest(algorithm);
    digest.update(Buffer.from("12345"));
    digest.update(Buffer.from("6789"));
    return digest.digest().toString("hex");
  };
  assert.equal(of("CRC32"), "cbf43926");
  assert.equal(of("CRC32C"), "e3069283");
  assert.equal(of("CRC64NVME"), "ae8b14860a799888");
});
