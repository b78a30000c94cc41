// Models in a folder of this machine, for service without a connection: a Hugging Face cache, or a folder
// owner/name with the files of each model.

import { createHash } from "node:crypto";
import { createReadStream, type Dirent } from "node:fs";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import path from "node:path";
import { nameText, repositoryFolder } from "../../domain/model/reference.ts";
import { StartRefused } from "../driver.ts";
import {
  isBlobName,
  isSafePath,
  type ModelCommit,
  type ModelFile,
  type ModelSource,
} from "./model-source.ts";

/** Everyone with an account may use the operator's folder, so its models are public here. */
export function folderSource(folder: string): ModelSource {
  return {
    name: folder,
    async find(model, revision) {
      const found =
        (await fromCache(path.join(folder, "hub", repositoryFolder(model)), revision)) ??
        (await fromCache(path.join(folder, repositoryFolder(model)), revision)) ??
        (await fromPlain(path.join(folder, model.owner, model.name), revision));
      if (found) return found;
      const sentence = `the folder of models has no ${nameText(model)} at revision "${revision}"`;
      throw new StartRefused(sentence, "model_not_found");
    },
    async read({ model, commit, file }, from) {
      const roots = [
        path.join(folder, "hub", repositoryFolder(model), "snapshots", commit),
        path.join(folder, repositoryFolder(model), "snapshots", commit),
        path.join(folder, model.owner, model.name),
      ];
      for (const root of roots) {
        const own = path.join(root, file.path);
        if ((await stat(own).catch(() => null))?.size !== file.size) continue;
        return { from, chunks: createReadStream(own, { start: from }) };
      }
      throw new StartRefused(`the folder of models has no ${nameText(model)} any more`);
    },
  };
}

/** A repository of a Hugging Face cache; null if it is not there. */
async function fromCache(repository: string, revision: string): Promise<ModelCommit | null> {
  const named = await readFile(path.join(repository, "refs", revision), "utf8").catch(() => null);
  const commit = named?.trim() ?? revision;
  if (!isBlobName(commit)) return null;
  const root = path.join(repository, "snapshots", commit);
  const files = await filesBelow(root, async (file, size) => {
    const target = await readlink(path.join(root, file)).catch(() => null);
    const blob = target === null ? null : path.basename(target);
    if (blob === null || !isBlobName(blob)) return plainFile(file, size, root);
    const kind = { 40: "git", 64: "sha256" } as const;
    const digest = /^[0-9a-f]+$/.test(blob) ? kind[blob.length as 40 | 64] : undefined;
    return { path: file, size, blob, digest: digest ? { kind: digest, hex: blob } : null };
  });
  if (files) await requireWhole(repository, commit, files);
  return files && { commit, isPublic: true, files };
}

/** The list of a commit's files, as the hub's client writes it with a download: format 1. */
interface TreeList {
  format_version?: unknown;
  files?: Record<string, { size?: unknown }>;
}

/** Throws if the cache has only a part of a commit. A cache of an earlier client has no list to compare with. */
async function requireWhole(
  repository: string,
  commit: string,
  files: readonly ModelFile[],
): Promise<void> {
  const text = await readFile(path.join(repository, "trees", `${commit}.json`), "utf8").catch(
    () => null,
  );
  if (text === null) return;
  const sizes = new Map(files.map((file) => [file.path, file.size]));
  const absent = Object.entries(listedFiles(text))
    .filter(([name, { size }]) => sizes.get(name) !== size)
    .map(([name]) => name);
  if (absent.length === 0) return;
  const others = absent.length - SHOWN_FILES;
  const names = absent.slice(0, SHOWN_FILES).join(", ") + (others > 0 ? ` and ${others} more` : "");
  const sentence = `the folder of models has only a part of ${path.basename(repository)} at ${commit}; it lacks ${names}`;
  throw new StartRefused(sentence, "model_not_found");
}

const SHOWN_FILES = 5;

/** A list that cannot be read, or of another format, says nothing. */
function listedFiles(text: string): NonNullable<TreeList["files"]> {
  try {
    const list = JSON.parse(text) as TreeList | null;
    return list?.format_version === 1 ? (list.files ?? {}) : {};
  } catch {
    return {};
  }
}

/** A folder of files; its commit changes with their names, sizes and times. */
async function fromPlain(root: string, revision: string): Promise<ModelCommit | null> {
  const files = await filesBelow(root, (file, size) => plainFile(file, size, root));
  if (!files || files.length === 0) return null;
  const commit = sha1(files.map(({ path: file, blob }) => `${file}\0${blob}`).join("\n"));
  return revision === "main" || revision === commit ? { commit, isPublic: true, files } : null;
}

async function plainFile(file: string, size: number, root: string): Promise<ModelFile> {
  const { mtimeMs } = await stat(path.join(root, file));
  return { path: file, size, blob: sha1(`${file}\0${size}\0${mtimeMs}`), digest: null };
}

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");

/** Null if the folder does not exist. The folders of Git and of the hub's client are left out. */
async function filesBelow(
  root: string,
  describe: (file: string, size: number) => Promise<ModelFile>,
): Promise<ModelFile[] | null> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return null;
  const names = entries
    .map((entry: Dirent) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => isSafePath(name) && !/^\.(?:git|cache)(?:\/|$)/.test(name))
    .toSorted();
  const files: ModelFile[] = [];
  for (const name of names) {
    const found = await stat(path.join(root, name)).catch(() => null);
    if (found?.isFile()) files.push(await describe(name, found.size));
  }
  return files;
}
