import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { digestOf } from "./body-digest.ts";

const MIB = 1_024 * 1_024;
const bytesOf = (length: number) => Buffer.alloc(length, "a body of an object; ");
const md5Of = (bytes: Buffer) => createHash("md5").update(bytes).digest("hex");

async function digestIn(pieces: Iterable<Buffer>, length: number | null) {
  const digest = digestOf(length, "CRC32");
  for (const piece of pieces) {
    const reused = Buffer.from(piece);
    await digest.update(reused);
    reused.fill(0);
  }
  const { md5, checksum } = await digest.digest();
  digest.discard();
  return { md5: md5.toString("hex"), crc32: checksum!.readUInt32BE() };
}

function* split(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("A body has the same digests with and without the thread, in pieces of any size", async () => {
  for (const length of [0, 1, 256 * 1_024, 256 * 1_024 + 1, 3 * MIB + 7]) {
    const body = bytesOf(length);
    const expected = { md5: md5Of(body), crc32: crc32(body) };
    for (const size of [65_536, 100_000, 2 * MIB]) {
      assert.deepEqual(await digestIn(split(body, size), length), expected);
      assert.deepEqual(await digestIn(split(body, size), null), expected);
    }
  }
});

test("Bodies that arrive at the same time do not mix", async () => {
  const bodies = Array.from({ length: 5 }, (_, n) => bytesOf(2 * MIB + n));
  const digests = await Promise.all(bodies.map((body) => digestIn(split(body, 65_536), null)));
  assert.deepEqual(
    digests.map(({ md5 }) => md5),
    bodies.map(md5Of),
  );
});

test("A discarded body leaves the thread to the others", async () => {
  const abandoned = digestOf(null, null);
  await abandoned.update(bytesOf(2 * MIB));
  abandoned.discard();
  await assert.rejects(abandoned.digest());
  const body = bytesOf(2 * MIB);
  assert.equal((await digestIn([body], null)).md5, md5Of(body));
});
