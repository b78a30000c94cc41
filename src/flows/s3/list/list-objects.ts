// Listing the objects of a volume: one page of keys and common prefixes. A page costs what is on it:
// file contents are never read, and only its own files are looked at.

import {
  describeFile,
  describeFolder,
  type ObjectRecord,
  type S3Object,
} from "../../../domain/s3/object.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import type { VolumeFiles } from "../../../drivers/volume-files.ts";
import { objectsBetween } from "../../../store/s3-object/s3-object.ts";
import type { S3Deps } from "../s3-deps.ts";
import { readableFiles, requireVolume } from "../volume-access.ts";
import { type WalkEntry, walk } from "./walk.ts";

export interface ListRequest {
  prefix: string;
  /** Empty for none. */
  delimiter: string;
  /** Only keys after this one; a common prefix stands for all its keys. */
  after: string;
  maxKeys: number;
}

export interface ListPage {
  objects: S3Object[];
  prefixes: string[];
  isTruncated: boolean;
  /** The last key or prefix of the page; empty if there is none. */
  last: string;
}

export async function listObjects(
  deps: S3Deps,
  key: S3Key,
  bucket: string,
  request: ListRequest,
): Promise<ListPage> {
  const volume = await requireVolume(deps, key, bucket, "read");
  const files = await readableFiles(deps, volume);
  const nothing = { objects: [], prefixes: [], isTruncated: false, last: "" };
  if (!files || request.maxKeys === 0) return nothing;
  const { entries, ...page } = await collect(files, request);
  return { ...page, objects: await describe(deps, files, bucket, entries) };
}

interface Collected extends Omit<ListPage, "objects"> {
  entries: WalkEntry[];
}

async function collect(files: VolumeFiles, request: ListRequest): Promise<Collected> {
  const { prefix, delimiter, after, maxKeys } = request;
  const page: Collected = { entries: [], prefixes: [], isTruncated: false, last: "" };
  for await (const entry of walk({ files, prefix, after, isShallow: delimiter === "/" })) {
    const common = commonPrefix(entry.key, request);
    // Keys of a common prefix that is on this page, or was the last of the page before.
    if (common !== null && (common === page.last || common === after)) continue;
    if (page.entries.length + page.prefixes.length === maxKeys) {
      return { ...page, isTruncated: true };
    }
    if (common === null) page.entries.push(entry);
    else page.prefixes.push(common);
    page.last = common ?? entry.key;
  }
  return page;
}

function commonPrefix(key: string, { prefix, delimiter }: ListRequest): string | null {
  const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? null : key.slice(0, at + delimiter.length);
}

/** Files that were removed since the folder was read are left out. */
async function describe(
  { store }: S3Deps,
  files: VolumeFiles,
  volumeId: string,
  entries: readonly WalkEntry[],
): Promise<S3Object[]> {
  if (entries.length === 0) return [];
  const [first, last] = [entries[0]!.key, entries.at(-1)!.key];
  const records = await store.read(objectsBetween, volumeId, first, last);
  const objects: S3Object[] = [];
  for (const group of byFolder(entries))
    objects.push(...(await describeGroup(files, group, records)));
  return objects;
}

async function describeGroup(
  files: VolumeFiles,
  group: readonly WalkEntry[],
  records: ReadonlyMap<string, ObjectRecord>,
): Promise<S3Object[]> {
  const { folder, name, key } = group[0]!;
  if (name === null) {
    const found = await files.find(folder);
    return found ? [describeFolder(key, found)] : [];
  }
  const facts = await files.facts(
    folder,
    group.map((entry) => entry.name!),
  );
  return group.flatMap((entry, n) => {
    const found = facts[n];
    return found ? [describeFile(entry.key, found, records.get(entry.key))] : [];
  });
}

/** Runs of neighboring files of one folder, in order. */
function* byFolder(entries: readonly WalkEntry[]): Generator<WalkEntry[]> {
  let group: WalkEntry[] = [];
  for (const entry of entries) {
    const previous = group.at(-1);
    const isSame = previous?.name !== null && entry.name !== null && isSameFolder(previous, entry);
    if (previous && !isSame) {
      yield group;
      group = [];
    }
    group.push(entry);
  }
  if (group.length > 0) yield group;
}

function isSameFolder(a: WalkEntry | undefined, b: WalkEntry): boolean {
  return a?.folder.length === b.folder.length && a.folder.every((name, n) => name === b.folder[n]);
}
