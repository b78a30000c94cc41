// Walks the tree of a volume in the order of its keys, from a position on. A folder counts with a slash
// at its end, because its keys have one: "a-b" comes before "a/c".

import { compareKeys, sortKeys } from "../../../domain/s3/key-order.ts";
import { isKeyName } from "../../../domain/s3/object-key.ts";
import type { Names, VolumeChild, VolumeFiles } from "../../../drivers/volume-files.ts";

export interface Walk {
  files: Pick<VolumeFiles, "children">;
  prefix: string;
  /** Only keys after this one; empty for all. */
  after: string;
  /** Folders are not entered: each is one entry. */
  isShallow: boolean;
}

export interface WalkEntry {
  key: string;
  folder: Names;
  /** Null for a folder: an empty one, or any in a shallow walk. */
  name: string | null;
}

/** Reads each folder on the way once, and no folder that has no key in question. */
export async function* walk(request: Walk): AsyncGenerator<WalkEntry> {
  const names = request.prefix.split("/").slice(0, -1);
  if (!names.every(isKeyName)) return;
  yield* walkFolder(request, names);
}

async function* walkFolder(request: Walk, folder: Names): AsyncGenerator<WalkEntry> {
  const { files, prefix, after, isShallow } = request;
  const children = await files.children(folder);
  if (!children) return;
  const base = folder.map((name) => `${name}/`).join("");
  const keys = keysOf(children);
  // An empty folder is a key itself; the root is none.
  if (keys.length === 0 && base !== "" && isAfter(base, after)) {
    if (base.startsWith(prefix)) yield { key: base, folder, name: null };
    return;
  }
  for (let at = firstFrom(keys, base, prefix, after); at < keys.length; at++) {
    const key = base + keys[at]!;
    if (!key.startsWith(prefix)) return;
    if (!key.endsWith("/")) {
      if (isAfter(key, after)) yield { key, folder, name: keys[at]! };
    } else if (isShallow) {
      if (await hasKeyAfter(request, key)) yield { key, folder, name: null };
    } else yield* walkFolder(request, [...folder, keys[at]!.slice(0, -1)]);
  }
}

const sorted = new WeakMap<readonly VolumeChild[], string[]>();

/** Sorted once for a folder whose contents are kept. */
function keysOf(children: readonly VolumeChild[]): string[] {
  const known = sorted.get(children);
  if (known) return known;
  const visible = children.filter(({ name }) => isKeyName(name));
  const keys = sortKeys(visible.map(({ name, isFolder }) => (isFolder ? `${name}/` : name)));
  sorted.set(children, keys);
  return keys;
}

/** The first index that can have the prefix, or keys after the position: binary search. */
function firstFrom(keys: string[], base: string, prefix: string, after: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = base + keys[middle]!;
    const isBefore =
      (compareKeys(key, prefix) < 0 && !prefix.startsWith(key)) ||
      (compareKeys(key, after) < 0 && !after.startsWith(key));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a folder has a key after the position. A folder always has one: itself, if it is empty. */
async function hasKeyAfter(request: Walk, folderKey: string): Promise<boolean> {
  const { after } = request;
  if (!after.startsWith(folderKey)) return isAfter(folderKey, after);
  if (after === folderKey) return false;
  const inside = walk({ ...request, prefix: folderKey, isShallow: false });
  for await (const _ of inside) return true;
  return false;
}

const isAfter = (key: string, after: string) => after === "" || compareKeys(key, after) > 0;
