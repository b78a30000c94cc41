// The folders of the model cache. `hub` holds the content of every repository in the layout of a Hugging Face
// cache; a view shows one commit of some repositories, with references to that commit only.

import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { modelKey } from "../../domain/model/evict.ts";
import { type ModelName, nameText, repositoryFolder } from "../../domain/model/reference.ts";
import type { FolderMount } from "../driver.ts";
import type { ModelFile } from "./model-source.ts";

/** A model that a release pinned. */
export interface PinnedModel extends ModelName {
  revision: string;
  commit: string;
}

/** Where worker images look for the cache. */
const CONTAINER_HUB = "/runpod-volume/huggingface-cache/hub";

export class ModelFolders {
  readonly #root: string;
  /** Names unfinished files apart. */
  #written = 0;

  constructor(root: string) {
    this.#root = root;
  }

  get records(): string {
    return path.join(this.#root, "records");
  }

  blobs(model: ModelName): string {
    return path.join(this.#repository(model), "blobs");
  }

  snapshot(model: ModelName, commit: string): string {
    return path.join(this.#repository(model), "snapshots", commit);
  }

  #repository(model: ModelName): string {
    return path.join(this.#root, "hub", repositoryFolder(model));
  }

  async createRepository(model: ModelName): Promise<void> {
    await createFolder(this.blobs(model));
  }

  /** Links the files of a snapshot to their content. */
  async writeSnapshot(model: ModelName, commit: string, files: readonly ModelFile[]) {
    const root = this.snapshot(model, commit);
    await rm(root, { recursive: true, force: true });
    await createFolder(root);
    for (const { path: name, blob } of files) {
      const link = path.join(root, name);
      await createFolder(path.dirname(link));
      await symlink(path.relative(path.dirname(link), path.join(this.blobs(model), blob)), link);
    }
  }

  /** A hub's cache with these models only. Returns its path; views of the same models are the same. */
  async view(models: readonly PinnedModel[]): Promise<string> {
    const keys = models.map((each) => `${each.revision} ${keyOf(each)}`).toSorted();
    const id = createHash("sha256").update(keys.join("\n")).digest("hex").slice(0, 32);
    const view = path.join(this.#root, "views", id);
    for (const model of models) {
      const own = path.join(view, repositoryFolder(model));
      await createFolder(path.join(own, "snapshots"));
      await linked(this.blobs(model), path.join(own, "blobs"));
      const snapshot = this.snapshot(model, model.commit);
      await linked(snapshot, path.join(own, "snapshots", model.commit));
      // A worker that names no revision asks for main.
      for (const name of new Set(["main", model.revision])) {
        const ref = path.join(own, "refs", name);
        await createFolder(path.dirname(ref));
        await this.#replaceFile(ref, model.commit);
      }
    }
    await this.#replaceFile(path.join(view, "models"), models.map(keyOf).join("\n"));
    return view;
  }

  /** Workers may be reading the file. */
  async #replaceFile(file: string, text: string): Promise<void> {
    if ((await readFile(file, "utf8").catch(() => null)) === text) return;
    const part = `${file}.${this.#written++}`;
    await writeFile(part, text);
    await chmod(part, 0o644);
    await rename(part, file);
  }

  /** What a container mounts to see a view. */
  mounts(view: string, models: readonly PinnedModel[]): FolderMount[] {
    return models.flatMap((model) => {
      const own = repositoryFolder(model);
      const target = `${CONTAINER_HUB}/${own}`;
      const snapshot = this.snapshot(model, model.commit);
      return [
        { folder: path.join(view, own, "refs"), mountPath: `${target}/refs` },
        { folder: this.blobs(model), mountPath: `${target}/blobs` },
        { folder: snapshot, mountPath: `${target}/snapshots/${model.commit}` },
      ];
    });
  }

  /** Removes a snapshot, the views that show it, and all content that is not in `keep`. */
  async remove(model: ModelName, commit: string, keep: ReadonlySet<string>): Promise<void> {
    const views = path.join(this.#root, "views");
    const key = modelKey({ model: nameText(model), commit });
    for (const name of await readdir(views).catch(() => [])) {
      const view = path.join(views, name);
      if ((await modelsIn(view)).includes(key)) await rm(view, { recursive: true, force: true });
    }
    await rm(this.snapshot(model, commit), { recursive: true, force: true });
    await this.removeContent(model, keep);
  }

  /** Removes the content of a repository that is not in `keep`. */
  async removeContent(model: ModelName, keep: ReadonlySet<string>): Promise<void> {
    const blobs = this.blobs(model);
    for (const name of await readdir(blobs).catch(() => [])) {
      if (!keep.has(name.replace(/\.incomplete$/, ""))) await rm(path.join(blobs, name));
    }
    if (keep.size === 0) await rm(this.#repository(model), { recursive: true, force: true });
  }

  /** owner/name of every repository with content. */
  async repositories(): Promise<ModelName[]> {
    const names = await readdir(path.join(this.#root, "hub")).catch(() => []);
    return names.flatMap((each) => {
      const [kind, owner, name] = each.split("--");
      return kind === "models" && owner && name ? [{ owner, name }] : [];
    });
  }
}

const keyOf = (model: PinnedModel) => modelKey({ model: nameText(model), commit: model.commit });

async function modelsIn(view: string): Promise<string[]> {
  return (await readFile(path.join(view, "models"), "utf8").catch(() => "")).split("\n");
}

/** Every user of a container can read it, whatever the service's umask. */
async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}

async function linked(target: string, link: string): Promise<void> {
  await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
