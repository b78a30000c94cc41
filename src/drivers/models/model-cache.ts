// The models of one machine, each downloaded once and shared by all workers that need it. Workers see them
// read-only; the least recently used ones make room for others.

import { mkdir } from "node:fs/promises";
import type { Clock } from "../../base/clock.ts";
import type { MachineModel } from "../../domain/machine/inventory.ts";
import { modelKey, modelsToEvict } from "../../domain/model/evict.ts";
import { sizeText } from "../../domain/model/loading.ts";
import {
  type ModelReference,
  nameText,
  parseModelReference,
} from "../../domain/model/reference.ts";
import { type FolderMount, StartRefused } from "../driver.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { downloadFile, downloadSideBySide, sourceUnavailable } from "./download.ts";
import { ModelFolders, type PinnedModel } from "./model-folders.ts";
import { ModelRecords } from "./model-records.ts";
import type { ModelCommit, ModelFile, ModelSource, SourceAccess } from "./model-source.ts";

export interface ModelCacheOptions {
  folder: string;
  source: ModelSource;
  limitBytes: number;
  clock: Clock;
}

/** What a download needs from the worker that waits for it. */
export interface ModelWait extends SourceAccess {
  /** The keys of models that workers of the machine use. */
  inUse: () => Promise<ReadonlySet<string>>;
  report: (downloadedBytes: number, bytes: number) => void;
}

interface Download {
  model: string;
  commit: string;
  /** 0 until its files are listed. */
  bytes: number;
  byFile: Map<string, number>;
  waits: Set<ModelWait>;
  abort: AbortController;
  done: Promise<void>;
}

const MAX_FOUND = 100;

export class ModelCache {
  readonly #options: ModelCacheOptions;
  readonly #folders: ModelFolders;
  readonly #records: ModelRecords;
  readonly #downloads = new Map<string, Download>();
  /** The lists of commits that were found and not downloaded yet. */
  readonly #found = new Map<string, ModelCommit>();
  /** Using, removing and completing a model exclude each other. */
  readonly #mutex = new KeyedMutex();

  private constructor(options: ModelCacheOptions, folders: ModelFolders, records: ModelRecords) {
    this.#options = options;
    this.#folders = folders;
    this.#records = records;
  }

  static async open(options: ModelCacheOptions): Promise<ModelCache> {
    // Other users of the machine must not read private models. Mounts do not depend on the mode.
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const folders = new ModelFolders(options.folder);
    return new ModelCache(options, folders, await ModelRecords.open(folders.records));
  }

  /** The complete models, and those that are being downloaded, in the order of their names. */
  list(): MachineModel[] {
    const complete = this.#records.all().map(({ model, commit, bytes }) => {
      return { model, commit, bytes, downloadedBytes: bytes };
    });
    const loading = Array.from(this.#downloads.values(), (each) => {
      const { model, commit, bytes } = each;
      return { model, commit, bytes, downloadedBytes: downloaded(each) };
    });
    const unique = loading.filter((each) => !this.#records.get(each.model, each.commit));
    return [...complete, ...unique].toSorted((a, b) => (modelKey(a) < modelKey(b) ? -1 : 1));
  }

  /**
   * The commit of a revision, if the token gives access. Without a connection, that of a public model
   * which is here.
   */
  async commitOf(reference: ModelReference, access: SourceAccess): Promise<string> {
    try {
      const found = await this.#find(reference, reference.revision, access);
      if (this.#found.size >= MAX_FOUND) this.#found.clear();
      this.#found.set(modelKey({ model: nameText(reference), commit: found.commit }), found);
      return found.commit;
    } catch (error) {
      if (!(error instanceof StartRefused) || error.why !== "model_away") throw error;
      const here = this.#records.all().filter(({ model, isPublic, revisions, commit }) => {
        const isSame = revisions.includes(reference.revision) || commit === reference.revision;
        return isPublic && model === nameText(reference) && isSame;
      });
      const [latest] = here.toSorted((a, b) => b.usedAt - a.usedAt);
      if (latest) return latest.commit;
      throw error;
    }
  }

  /** Resolves once the model is here. Rejects when the signal aborts; a download for no worker ends. */
  async provide(model: PinnedModel, wait: ModelWait): Promise<void> {
    if (await this.#mutex.run("", () => this.#use(model))) return;
    wait.signal.throwIfAborted();
    const key = pinnedKey(model);
    // A download that no worker waited for any more is about to end; another one continues it.
    for (let last = this.#downloads.get(key); last?.abort.signal.aborted; ) {
      await last.done.catch(() => {});
      last = this.#downloads.get(key);
    }
    const download = this.#downloads.get(key) ?? this.#begin(key, model, wait);
    download.waits.add(wait);
    const leave = () => {
      download.waits.delete(wait);
      if (download.waits.size === 0) download.abort.abort(wait.signal.reason);
    };
    wait.signal.addEventListener("abort", leave, { once: true });
    try {
      await Promise.race([download.done, rejectedBy(wait.signal)]);
    } finally {
      wait.signal.removeEventListener("abort", leave);
      download.waits.delete(wait);
    }
  }

  /** The read-only view of some models: a hub's cache for processes, and its mounts for containers. */
  async view(models: readonly PinnedModel[]): Promise<{ folder: string; mounts: FolderMount[] }> {
    const folder = await this.#folders.view(models);
    return { folder, mounts: this.#folders.mounts(folder, models) };
  }

  /** Removes what interrupted downloads left, except of models in use, which are continued. */
  removeLeftovers(inUse: ReadonlySet<string>): Promise<void> {
    return this.#mutex.run("", () => this.#removeLeftovers(inUse));
  }

  async #removeLeftovers(inUse: ReadonlySet<string>): Promise<void> {
    for (const model of await this.#folders.repositories()) {
      const name = nameText(model);
      const isContinued = [...inUse, ...this.#downloads.keys()].some((key) =>
        key.startsWith(`${name}@`),
      );
      if (!isContinued) await this.#folders.removeContent(model, this.#blobsOf(name));
    }
  }

  /** Ends all downloads; what is there is continued later. */
  async close(): Promise<void> {
    const downloads = [...this.#downloads.values()];
    for (const { abort } of downloads) abort.abort(new Error("the service stops"));
    await Promise.allSettled(downloads.map(({ done }) => done));
  }

  /** False if the model is not here. */
  async #use(model: PinnedModel): Promise<boolean> {
    const record = this.#records.get(nameText(model), model.commit);
    if (!record) return false;
    const revisions = [...new Set([...record.revisions, model.revision])];
    await this.#records.put({ ...record, revisions, usedAt: this.#options.clock.now() });
    return true;
  }

  #begin(key: string, model: PinnedModel, first: ModelWait): Download {
    const abort = new AbortController();
    const download: Download = {
      model: nameText(model),
      commit: model.commit,
      bytes: 0,
      byFile: new Map(),
      waits: new Set(),
      abort,
      done: Promise.resolve(),
    };
    const access = { token: first.token, signal: abort.signal };
    download.done = this.#download(model, download, { ...first, ...access }).finally(() =>
      this.#downloads.delete(key),
    );
    // Every worker may have left.
    download.done.catch(() => {});
    this.#downloads.set(key, download);
    return download;
  }

  async #download(model: PinnedModel, download: Download, wait: ModelWait): Promise<void> {
    const key = pinnedKey(model);
    const found = this.#found.get(key) ?? (await this.#find(model, model.commit, wait));
    this.#found.delete(key);
    const blobs = new Map(found.files.map((file) => [file.blob, file]));
    const bytes = [...blobs.values()].reduce((sum, { size }) => sum + size, 0);
    download.bytes = bytes;
    // Counted from the start, so that no eviction removes what another commit shares.
    for (const blob of blobs.keys()) download.byFile.set(blob, 0);
    await this.#makeRoom(model, wait);
    await this.#folders.createRepository(model);
    await this.#downloadFiles(model, [...blobs.values()], download, wait);
    await this.#mutex.run("", async () => {
      await this.#folders.writeSnapshot(model, model.commit, found.files);
      await this.#records.put({
        model: download.model,
        commit: model.commit,
        bytes,
        isPublic: found.isPublic,
        revisions: [model.revision],
        blobs: [...blobs.keys()],
        usedAt: this.#options.clock.now(),
      });
    });
  }

  async #downloadFiles(
    model: PinnedModel,
    files: ModelFile[],
    download: Download,
    { token, signal }: SourceAccess,
  ): Promise<void> {
    const { source, clock } = this.#options;
    const { commit } = model;
    const largestFirst = files.toSorted((a, b) => b.size - a.size);
    await downloadSideBySide(largestFirst, signal, async (file, fileSignal) => {
      const { blob } = file;
      const target = `${this.#folders.blobs(model)}/${blob}`;
      const access = { token, signal: fileSignal };
      const onBytes = (bytes: number) => {
        download.byFile.set(blob, bytes);
        for (const { report } of download.waits) report(downloaded(download), download.bytes);
      };
      await downloadFile({ source, clock, model, commit, file, target, access, onBytes });
    });
  }

  /**
   * Evicts models until everything that is being downloaded fits. A worker is in use before it asks for its
   * models, so none of them can be evicted between its question and its start.
   */
  async #makeRoom(model: PinnedModel, wait: ModelWait): Promise<void> {
    const { limitBytes } = this.#options;
    await this.#mutex.run("", async () => {
      const loading = [...this.#downloads.values()];
      const neededBytes = loading.reduce((sum, { bytes }) => sum + bytes, 0);
      const evicted = modelsToEvict(this.#records.all(), await wait.inUse(), {
        limitBytes,
        neededBytes,
      });
      if (evicted === null) {
        const needed = sizeText(this.#downloads.get(pinnedKey(model))?.bytes ?? neededBytes);
        throw new StartRefused(
          `the model ${nameText(model)} of ${needed} does not fit into this machine's model cache of ${sizeText(limitBytes)} beside the models in use`,
          "model_too_large",
        );
      }
      for (const record of evicted) {
        await this.#records.remove(record);
        const name = parseModelReference(record.model)!;
        await this.#folders.remove(name, record.commit, this.#blobsOf(record.model));
      }
    });
  }

  /** The content of a repository that complete models and downloads need. */
  #blobsOf(model: string): ReadonlySet<string> {
    const complete = this.#records.all().filter((each) => each.model === model);
    const loading = [...this.#downloads.values()].filter((each) => each.model === model);
    return new Set([
      ...complete.flatMap(({ blobs }) => blobs),
      ...loading.flatMap(({ byFile }) => [...byFile.keys()]),
    ]);
  }

  async #find(model: ModelReference, revision: string, access: SourceAccess): Promise<ModelCommit> {
    const { source } = this.#options;
    try {
      return await source.find(model, revision, access);
    } catch (error) {
      access.signal.throwIfAborted();
      throw error instanceof StartRefused ? error : sourceUnavailable(source.name, error);
    }
  }
}

const pinnedKey = (model: PinnedModel) =>
  modelKey({ model: nameText(model), commit: model.commit });

const downloaded = ({ byFile }: Download) => [...byFile.values()].reduce((a, b) => a + b, 0);

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
