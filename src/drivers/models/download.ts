// Downloads files of a model next to their final place, checks them and moves them there. What was written before
// an interruption is continued.

import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { type Clock, pause } from "../../base/clock.ts";
import { StartRefused } from "../driver.ts";
import type { FileOfCommit, ModelFile, ModelSource, SourceAccess } from "./model-source.ts";

export interface FileDownload extends FileOfCommit {
  source: ModelSource;
  clock: Clock;
  /** Where the content belongs. */
  target: string;
  access: SourceAccess;
  /** Called with the number of bytes that are there, whenever it changes. */
  onBytes: (bytes: number) => void;
}

/** Tries in a row that bring nothing. */
const MAX_TRIES = 4;
const PAUSE_MS = 1_000;
const FILES_AT_ONCE = 4;

const incompleteOf = (target: string) => `${target}.incomplete`;

/** Begins with the first files. One that fails aborts the others, and its error is thrown once they have ended. */
export async function downloadSideBySide(
  files: readonly ModelFile[],
  signal: AbortSignal,
  download: (file: ModelFile, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = [...files];
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) await download(file, either);
  };
  const lanes = Array.from({ length: FILES_AT_ONCE }, () =>
    work().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(lanes);
  failed.signal.throwIfAborted();
}

export async function downloadFile(download: FileDownload): Promise<void> {
  const { file, target, access, onBytes, clock } = download;
  const there = await stat(target).catch(() => null);
  if (there?.size === file.size) return onBytes(file.size);
  let before = await sizeOf(incompleteOf(target));
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(download);
    } catch (error) {
      access.signal.throwIfAborted();
      if (error instanceof StartRefused) throw error;
      if (isFull(error)) {
        await rm(incompleteOf(target), { force: true });
        throw new StartRefused("the disk of the model cache is full", "disk_full");
      }
      const now = await sizeOf(incompleteOf(target));
      if (now > before) tries = 1;
      before = now;
      if (tries >= MAX_TRIES) throw sourceUnavailable(download.source.name, error);
      await pause(clock, tries * PAUSE_MS, access.signal);
      access.signal.throwIfAborted();
    }
  }
}

/** Network errors differ in depth; the code is what helps. The source's name is for the operator. */
export function sourceUnavailable(source: string, error: unknown): StartRefused {
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: { code?: string } };
  const sentence = `the source of models fails: ${cause?.code ?? code ?? message}`;
  return new StartRefused(sentence, "model_away", `${source}: ${message}`);
}

const isFull = (error: unknown) =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

async function attempt({
  source,
  model,
  commit,
  file,
  target,
  access,
  onBytes,
}: FileDownload): Promise<void> {
  const part = incompleteOf(target);
  const handle = await open(part, "a");
  try {
    await handle.chmod(0o644);
    let have = (await handle.stat()).size;
    if (have > file.size) have = await restart(handle);
    let hash = await hashOf(file, part, have);
    onBytes(have);
    if (have < file.size || have === 0) {
      const { from, chunks } = await source.read({ model, commit, file }, have, access);
      if (from !== have) {
        have = await restart(handle);
        hash = hashFor(file);
      }
      for await (const chunk of chunks) {
        if (have + chunk.length > file.size) {
          await restart(handle);
          throw new Error(`${file.path} is longer than its source says`);
        }
        await handle.appendFile(chunk);
        hash?.update(chunk);
        have += chunk.length;
        onBytes(have);
      }
    }
    if (have < file.size) throw new Error(`${file.path} ends early`);
    if (hash && hash.digest("hex") !== file.digest!.hex) {
      await restart(handle);
      throw new Error(`${file.path} is damaged: its content does not match its hash`);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, target);
}

async function restart(handle: FileHandle): Promise<0> {
  await handle.truncate(0);
  return 0;
}

function hashFor({ digest, size }: ModelFile): Hash | null {
  if (digest === null) return null;
  if (digest.kind === "sha256") return createHash("sha256");
  return createHash("sha1").update(`blob ${size}\0`);
}

/** The hash of what is there already. */
async function hashOf(file: ModelFile, part: string, bytes: number): Promise<Hash | null> {
  const hash = hashFor(file);
  if (hash === null || bytes === 0) return hash;
  for await (const chunk of createReadStream(part, { end: bytes - 1 })) hash.update(chunk);
  return hash;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}
