// What a copy consists of: each file with its source and its target, for every direction.

import { lstat, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { encodeS3 } from "../../domain/s3/canonical-request.ts";
import { download } from "./download.ts";
import type { TransferProgress } from "./progress.ts";
import { upload } from "./upload.ts";
import { asFolder, type VolumeClient } from "./volume-client.ts";

/** A place on a volume that was found. */
export interface RemotePlace {
  client: VolumeClient;
  /** The volume as the command line names it. */
  volume: string;
  path: string;
}

export interface FileCopy {
  from: string;
  to: string;
  size: number;
  modifiedAt: number;
}

export interface CopyPlan {
  /** Whether the source is a folder. */
  isTree: boolean;
  files: AsyncIterable<FileCopy>;
  copy(file: FileCopy, progress: TransferProgress): Promise<void>;
  /** The size and time of what is at the target; null if nothing is. */
  existing(to: string): Promise<{ size: number; modifiedAt: number } | null>;
}

export async function uploadPlan(from: string, to: RemotePlace): Promise<CopyPlan> {
  const found = await stat(from).catch(() => null);
  if (!found) throw new Refusal(`there is no file ${from} on this machine`, exitCodes.notFound);
  const isTree = found.isDirectory();
  return {
    isTree,
    files: isTree
      ? localTree(from, to.path)
      : single({ from, to: await targetKey(path.basename(from), to), ...described(found) }),
    copy: (file, progress) => upload(to.client, file.from, file.to, progress),
    existing: (key) => to.client.head(key),
  };
}

export async function downloadPlan(from: RemotePlace, to: string): Promise<CopyPlan> {
  const { client } = from;
  const source = await findSource(from);
  const there = await stat(to).catch(() => null);
  const isInside = there?.isDirectory() || /[/\\]$/.test(to);
  const target = isInside ? path.join(to, path.posix.basename(from.path)) : to;
  if (!source && there && !there.isDirectory()) {
    throw new Refusal(`${to} is a file; a folder is copied to a folder`);
  }
  return {
    isTree: source === null,
    files: source
      ? single({ from: from.path, to: target, ...source })
      : remoteTree(from, (relative) => withinFolder(to, relative)),
    copy: (file, progress) => download(client, file.from, file.to, progress),
    existing: (name) => stat(name).then(described, () => null),
  };
}

/** The service copies; no bytes come here. */
export async function remotePlan(from: RemotePlace, to: RemotePlace): Promise<CopyPlan> {
  const source = await findSource(from);
  const name = path.posix.basename(from.path);
  return {
    isTree: source === null,
    files: source
      ? single({ from: from.path, to: await targetKey(name, to), ...source })
      : remoteTree(from, (relative) => asFolder(to.path) + relative),
    async copy(file, progress) {
      const encoded = file.from.split("/").map(encodeS3).join("/");
      const headers = { "x-amz-copy-source": `/${from.client.id}/${encoded}` };
      await to.client.sendForXml("PUT", "CopyObjectResult", { key: file.to, headers });
      progress.add(file.size, file.from);
    },
    existing: (key) => to.client.head(key),
  };
}

const described = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => ({
  size,
  modifiedAt: mtimeMs,
});

async function* single(file: FileCopy): AsyncGenerator<FileCopy> {
  yield file;
}

/** Null if it is a folder. */
async function findSource({ client, volume, path: key }: RemotePlace) {
  const isNamedFolder = key === "" || key.endsWith("/");
  const found = isNamedFolder ? null : await client.head(key);
  if (found || key === "" || (await client.isFolder(key))) return found;
  throw new Refusal(
    `there is no file ${volume}:${key}; \`freehold ls ${volume}\` lists its files`,
    exitCodes.notFound,
  );
}

/** A file that is copied to a folder keeps its name. */
async function targetKey(name: string, { client, path: to }: RemotePlace): Promise<string> {
  if (to === "" || to.endsWith("/") || (await client.isFolder(to))) return asFolder(to) + name;
  return to;
}

/** The files below a folder of this machine. Links to folders and special files are named and left out. */
async function* localTree(folder: string, to: string): AsyncGenerator<FileCopy> {
  const names = await readdir(folder);
  for (const name of names.sort()) {
    const from = path.join(folder, name);
    const key = asFolder(to) + name;
    const found = await stat(from).catch(() => null);
    const entry = found?.isDirectory() ? await lstat(from) : found;
    if (entry?.isDirectory()) yield* localTree(from, key);
    else if (entry?.isFile()) yield { from, to: key, ...described(entry) };
    else process.stderr.write(`freehold: left out ${from}: it is not a file\n`);
  }
}

async function* remoteTree(
  { client, path: folder }: RemotePlace,
  targetOf: (relative: string) => string,
): AsyncGenerator<FileCopy> {
  const prefix = asFolder(folder);
  for await (const { files } of client.list(prefix, true)) {
    for (const { key, ...file } of files) {
      // An empty folder.
      if (key.endsWith("/")) continue;
      yield { from: key, to: targetOf(key.slice(prefix.length)), ...file };
    }
  }
}

function withinFolder(folder: string, relative: string): string {
  const target = path.resolve(folder, relative);
  if (target.startsWith(path.resolve(folder) + path.sep)) return target;
  throw new Refusal(`the file ${relative} would be written outside of ${folder}`);
}
