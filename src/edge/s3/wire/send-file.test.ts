import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { test } from "node:test";
import { sendFile } from "./send-file.ts";

const BYTES = randomBytes(3_000_000);

/** A file that yields at most so many bytes a read. */
const fileOf = (bytes: Buffer, mostAtOnce: number) => ({
  readInto: async (buffer: Uint8Array, position: number) =>
    bytes.copy(buffer, 0, position, position + Math.min(buffer.length, mostAtOnce)),
});

/** Looks at a piece only when it is about to be done with it, as a slow connection does. */
class SlowResponse extends Writable {
  readonly pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    setImmediate(() =>
      setImmediate(() => {
        this.pieces.push(Buffer.from(piece));
        done();
      }),
    );
  }
}

test("a buffer is filled again only after the connection has taken its bytes", async () => {
  for (const mostAtOnce of [Infinity, 400_000, 70_001]) {
    const response = new SlowResponse();
    await sendFile(response, fileOf(BYTES, mostAtOnce), { first: 5, last: 2_900_000 });
    assert.ok(Buffer.concat(response.pieces).equals(BYTES.subarray(5, 2_900_001)));
    assert.ok(response.writableEnded);
  }
});

test("a small file may come in several reads", async () => {
  const response = new SlowResponse();
  await sendFile(response, fileOf(BYTES, 10), { first: 0, last: 99 });
  assert.ok(Buffer.concat(response.pieces).equals(BYTES.subarray(0, 100)));
});

test("a file that is shorter than the range is not padded, and the response does not end", async () => {
  for (const size of [0, 1_000, 600_000]) {
    const response = new SlowResponse();
    const sent = sendFile(response, fileOf(BYTES.subarray(0, size), Infinity), {
      first: 0,
      last: 700_000,
    });
    await assert.rejects(sent, /shorter/);
    assert.equal(Buffer.concat(response.pieces).length, size);
    assert.ok(!response.writableEnded);
  }
});

test("a failed read is reported once, and so is a client that disconnects", async () => {
  const response = new SlowResponse();
  const file = {
    async readInto(buffer: Uint8Array, position: number) {
      if (position > 0) throw new Error("EIO");
      return buffer.length;
    },
  };
  await assert.rejects(sendFile(response, file, { first: 0, last: 2_000_000 }), /EIO/);
  const left = new SlowResponse();
  const sent = sendFile(left, fileOf(BYTES, Infinity), { first: 0, last: 2_000_000 });
  setImmediate(() => left.destroy());
  await assert.rejects(sent, /disconnected/);
});
