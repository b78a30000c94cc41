// Copies a file of a volume to this machine. It arrives under another name and is renamed when it is
// complete; a copy that was interrupted goes on where it ended, unless the file has changed.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal } from "../../base/refusal.ts";
import type { TransferProgress } from "./progress.ts";
import { RefusedRequest, type VolumeClient } from "./volume-client.ts";

const MAX_ATTEMPTS = 5;

interface Download {
  client: VolumeClient;
  key: string;
  target: string;
  size: number;
  etag: string;
  progress: TransferProgress;
}

export async function download(
  client: VolumeClient,
  key: string,
  target: string,
  progress: TransferProgress,
): Promise<void> {
  const found = await client.head(key);
  if (!found) throw new Refusal(`${key} is no longer there; run the command again`);
  const one = { ...found, client, key, target, progress };
  await mkdir(path.dirname(target), { recursive: true });
  const partial = partialOf(one);
  await removeOthers(target, partial);
  const received = await sizeOf(partial);
  progress.add(Math.min(received, found.size), key);
  for (let attempt = 1; !(await receive(one, partial)); attempt++) {
    if (attempt < MAX_ATTEMPTS) continue;
    throw new Refusal(`the connection ended before ${key} was complete; run the command again`);
  }
  await rename(partial, target);
}

/** Named for what is in it, so that no other content is appended. */
function partialOf({ client, key, target, etag }: Download): string {
  const content = createHash("sha256").update(`${client.id}/${key} ${etag}`).digest("hex");
  return path.join(path.dirname(target), `${partialPrefix(target)}${content.slice(0, 16)}.part`);
}

const partialPrefix = (target: string) => `.${path.basename(target)}.freehold-`;

/** Removes what is left of copies of other content. */
async function removeOthers(target: string, partial: string): Promise<void> {
  const folder = path.dirname(target);
  const isLeft = (name: string) =>
    name.startsWith(partialPrefix(target)) &&
    name.endsWith(".part") &&
    name !== path.basename(partial);
  for (const name of (await readdir(folder)).filter(isLeft)) await rm(path.join(folder, name));
}

/** Whether the file is complete. */
async function receive(one: Download, partial: string): Promise<boolean> {
  const { client, key, size, etag, progress } = one;
  const from = await sizeOf(partial);
  if (from > size) await rm(partial);
  const first = from > size ? 0 : from;
  if (first === size && size > 0) return true;
  const headers = { "if-match": etag, ...(first > 0 && { range: `bytes=${first}-` }) };
  const response = await client.send("GET", { key, headers }).catch((error) => {
    if (!(error instanceof RefusedRequest) || error.status !== 412) throw error;
    throw new Refusal(`${key} changed while it was copied; run the command again`);
  });
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length, key);
      done(null, chunk);
    },
  });
  const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
  let failure: unknown = null;
  await pipeline(body, counted, createWriteStream(partial, { flags: "a" })).catch((error) => {
    failure = error;
  });
  // A disk that is full does not pass; a connection that ended may.
  if (isOfFiles(failure)) throw new Refusal(`${partial}: ${(failure as Error).message}`);
  return (await sizeOf(partial)) === size;
}

const isOfFiles = (error: unknown) =>
  ["ENOSPC", "EACCES", "EROFS", "EDQUOT", "EIO", "EISDIR"].includes(
    (error as NodeJS.ErrnoException | null)?.code ?? "",
  );

const sizeOf = (name: string) =>
  stat(name).then(
    ({ size }) => size,
    () => 0,
  );
