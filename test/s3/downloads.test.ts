// Downloads and copies of large objects: whole and in ranges, by clients that disconnect, and of files that become
// shorter.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readlinkSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { until } from "../fixtures/until.ts";
import { startS3 } from "./fixture.ts";

/** What the service reads at once. */
const PIECE_BYTES = 512 * 1_024;
/** More than the buffers of both ends of a connection hold. */
const HUGE_BYTES = 64 * 1_024 * 1_024;

/** A file of a volume, and how to ask for it on a connection that is kept. */
async function fileOf(t: TestContext, bytes: Buffer) {
  const { origin, bucket, folder, key: apiKey } = await startS3(t);
  const file = path.join(folder, "file");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  addCleanup(t, async () => agent.destroy());
  const address = `${origin}/s3/${bucket}/file`;
  // The first write makes the volume's folder.
  await fetch(address, { method: "PUT", headers: { authorization: `Bearer ${apiKey}` }, body: "" });
  writeFileSync(file, bytes);
  const open = async (range?: string): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(range && { range }) };
    const [response] = await once(request(address, { agent, headers }).end(), "response");
    return response;
  };
  const copy = (key: string) =>
    fetch(`${origin}/s3/${bucket}/${key}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${apiKey}`, "x-amz-copy-source": `/${bucket}/file` },
    });
  return { file, open, copy, folder };
}

/** The names of the files that this process, and so the service, has open. */
const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed meanwhile
    }
  });

test("an object larger than the buffers arrives unchanged, whole and in ranges", async (t) => {
  const bytes = randomBytes(5 * PIECE_BYTES + 17);
  const { file, open } = await fileOf(t, bytes);
  assert.ok((await buffer(await open())).equals(bytes));
  const ranges = [
    [0, 0],
    [1, PIECE_BYTES],
    [PIECE_BYTES - 1, 2 * PIECE_BYTES],
    [PIECE_BYTES, 3 * PIECE_BYTES - 1],
    [7, bytes.length - 1],
  ] as const;
  for (const [first, last] of ranges) {
    const response = await open(`bytes=${first}-${last}`);
    assert.equal(response.statusCode, 206);
    const expected = bytes.subarray(first, last + 1);
    assert.ok((await buffer(response)).equals(expected), `${first}-${last}`);
  }
  truncateSync(file, 0);
  assert.equal((await buffer(await open())).length, 0);
  await until(() => !openFiles().includes(file));
});

test("downloads at the same time do not mix", async (t) => {
  const bytes = randomBytes(9 * PIECE_BYTES + 1);
  const { open } = await fileOf(t, bytes);
  const { open: openOther } = await fileOf(t, Buffer.alloc(9 * PIECE_BYTES));
  const [one, other] = await Promise.all([open(), openOther()]);
  const [read, zeros] = await Promise.all([buffer(one), buffer(other)]);
  assert.ok(read.equals(bytes));
  assert.ok(zeros.every((byte) => byte === 0));
});

test("the file is closed when the client disconnects", async (t) => {
  const { file, open } = await fileOf(t, Buffer.alloc(HUGE_BYTES));
  const response = await open();
  await once(response, "readable");
  assert.ok(openFiles().includes(file));
  response.destroy();
  await until(() => !openFiles().includes(file));
});

test("a download of a file that becomes shorter fails, and its connection is closed", async (t) => {
  const { file, open } = await fileOf(t, Buffer.alloc(HUGE_BYTES));
  const response = await open();
  assert.equal(response.headers["content-length"], String(HUGE_BYTES));
  truncateSync(file, PIECE_BYTES + 1);
  await assert.rejects(buffer(response), { code: "ECONNRESET" });
  await until(() => !openFiles().includes(file));
  assert.equal((await buffer(await open())).length, PIECE_BYTES + 1);
});

test("a copy of a file that becomes shorter fails, and nothing is stored", async (t) => {
  const { file, copy, folder } = await fileOf(t, Buffer.alloc(0));
  truncateSync(file, 4 * HUGE_BYTES);
  const staging = path.join(folder, "..", "freehold-uploads");
  const reply = copy("copy");
  await until(() =>
    readdirSync(staging).some((each) => statSync(path.join(staging, each)).size > 0),
  );
  truncateSync(file, 1);
  const { status } = await reply;
  assert.equal(status, 503);
  assert.deepEqual([readdirSync(folder), readdirSync(staging)], [["file"], []]);
  await until(() => !openFiles().includes(file));
  assert.equal((await copy("copy")).status, 200);
});
