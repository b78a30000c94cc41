// Tests of large responses through the proxy, whose bytes it reads into buffers that it uses again: each client gets its
// own bytes, whatever the others do.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { pauseMs } from "../fixtures/time/pace.ts";
import { HOST, podOf, RawClient, startSimulatedPod } from "./fixture.ts";

const BYTES = 6_000_000;

const sum = (body: Buffer) => createHash("sha256").update(body).digest("hex");

/** A Pod with two files; /<file>/chunked has no length. */
async function podWithFiles(t: Parameters<typeof podOf>[0]) {
  const files = [randomBytes(BYTES), randomBytes(BYTES)];
  const pod = await podOf(t, ({ url }, response) => {
    const [, file, how] = url!.split("/");
    if (how !== "chunked") response.setHeader("content-length", BYTES);
    response.end(files[Number(file)]);
  });
  return { pod, sums: files.map(sum) };
}

/** Reads a response; a slow reader stops in between, so that all buffers on the way are full. */
async function download(port: number, path: string, isSlow: boolean): Promise<string> {
  const outgoing = request({ port, host: "127.0.0.1", path, headers: { host: HOST } }).end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  const hash = createHash("sha256");
  let sinceRest = 0;
  for await (const piece of answer) {
    hash.update(piece);
    sinceRest += piece.length;
    if (!isSlow || sinceRest < 1_000_000) continue;
    sinceRest = 0;
    await pauseMs(20);
  }
  return hash.digest("hex");
}

test("slow and fast clients get their bytes side by side, on connections that are used again", async (t) => {
  const { pod, sums } = await podWithFiles(t);
  const { port } = await startSimulatedPod(t, pod);
  for (let round = 0; round < 3; round++) {
    const downloads = ["0", "1", "0/chunked", "1/chunked"].flatMap((path) => [
      { path, isSlow: true },
      { path, isSlow: false },
    ]);
    const got = await Promise.all(
      downloads.map(({ path, isSlow }) => download(port, `/${path}`, isSlow)),
    );
    assert.deepEqual(
      got,
      downloads.map(({ path }) => sums[Number(path[0])]),
    );
  }
});

test("a client that leaves in the middle takes nothing from the next", async (t) => {
  const { pod, sums } = await podWithFiles(t);
  const { port } = await startSimulatedPod(t, pod);
  for (let n = 0; n < 5; n++) {
    const leaving = request({ port, host: "127.0.0.1", path: "/0", headers: { host: HOST } }).end();
    const [answer] = (await once(leaving, "response")) as [IncomingMessage];
    answer.on("error", () => {});
    answer.once("data", () => leaving.destroy());
    assert.equal(await download(port, "/1", false), sums[1]);
  }
});

test("pipelined requests are answered in order", async (t) => {
  const { pod, sums } = await podWithFiles(t);
  const { port } = await startSimulatedPod(t, pod);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const client = new RawClient(t, port).say(get("/0") + get("/1") + get("/0"));
  const heard = await client.until((heard) => {
    if (heard.length < 3 * BYTES) return false;
    const headLength = heard.indexOf("\r\n\r\n") + 4;
    return heard.length === 3 * (headLength + BYTES);
  });
  const bodies = heard.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1);
  assert.deepEqual(
    bodies.map((body) => sum(Buffer.from(body, "latin1"))),
    [sums[0], sums[1], sums[0]],
  );
});
