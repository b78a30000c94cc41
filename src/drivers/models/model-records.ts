// The records of complete models: a file for each, written last, so that a model with a record is whole.

import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type CachedModel, modelKey } from "../../domain/model/evict.ts";

export interface ModelRecord extends CachedModel {
  /** True if everyone may read it, without a token. */
  isPublic: boolean;
  /** The revisions that led to this commit. */
  revisions: string[];
  /** The names in `blobs` of its files. */
  blobs: string[];
}

export class ModelRecords {
  readonly #folder: string;
  readonly #all = new Map<string, ModelRecord>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<ModelRecords> {
    await mkdir(folder, { recursive: true });
    const records = new ModelRecords(folder);
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".json")) continue;
      const record = JSON.parse(await readFile(path.join(folder, name), "utf8")) as ModelRecord;
      records.#all.set(modelKey(record), record);
    }
    return records;
  }

  all(): ModelRecord[] {
    return [...this.#all.values()];
  }

  get(model: string, commit: string): ModelRecord | undefined {
    return this.#all.get(modelKey({ model, commit }));
  }

  async put(record: ModelRecord): Promise<void> {
    const file = this.#fileOf(record);
    const part = `${file}.part`;
    const handle = await open(part, "w");
    try {
      await handle.writeFile(JSON.stringify(record));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    this.#all.set(modelKey(record), record);
  }

  async remove(record: ModelRecord): Promise<void> {
    this.#all.delete(modelKey(record));
    await rm(this.#fileOf(record), { force: true });
  }

  #fileOf({ model, commit }: ModelRecord): string {
    return path.join(this.#folder, `${model.replace("/", "--")}@${commit}.json`);
  }
}
