// A file in the staging area. Chunks are collected and written together while the next ones arrive, so
// that a file holds at most two batches in memory.

import { type FileHandle, open, rm } from "node:fs/promises";
import { MIB } from "../../base/units.ts";
import type { FileFacts, StagedFile } from "../volume-files.ts";
import type { VolumeOwner } from "./folder-handle.ts";
import { closedOnFailure, factsOf } from "./opened-file.ts";

const BATCH_BYTES = 256 * 1_024;
/** Written bytes are synced in the background, so that the last sync is short. */
const SYNC_BYTES = 32 * MIB;
const FILE_MODE = 0o644;

/** `remove` deletes it by its name: the path is valid only until this returns. */
export async function createStaged(
  path: string,
  owner: Omit<VolumeOwner, "device">,
  remove: () => Promise<void>,
): Promise<StagedFile> {
  const handle = await open(path, "wx", FILE_MODE);
  try {
    await closedOnFailure(handle, async () => {
      // The service's umask may have removed bits.
      await handle.chmod(FILE_MODE | owner.writeBits);
      await handle.chown(owner.uid, owner.gid);
    });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return new BatchedFile(handle, remove);
}

class BatchedFile implements StagedFile {
  readonly #handle: FileHandle;
  readonly #remove: () => Promise<void>;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #pending: Promise<void> = Promise.resolve();
  #unsyncedBytes = 0;
  #isSyncing = false;
  #synced: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, remove: () => Promise<void>) {
    this.#handle = handle;
    this.#remove = remove;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#batch.push(chunk);
    this.#batchBytes += chunk.length;
    if (this.#batchBytes >= BATCH_BYTES) await this.#flush();
  }

  /** Waits for the batch before, not for this one. */
  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    await this.#pending;
    this.#pending = this.#writeAll(batch);
    // A failure is reported by the next wait.
    this.#pending.catch(() => {});
  }

  async #writeAll(batch: Uint8Array[]): Promise<void> {
    const total = batch.reduce((sum, { length }) => sum + length, 0);
    const { bytesWritten } = await this.#handle.writev(batch);
    if (bytesWritten < total) await this.#writeRest(Buffer.concat(batch), bytesWritten);
    this.#unsyncedBytes += total;
    if (this.#unsyncedBytes >= SYNC_BYTES && !this.#isSyncing) this.#startSync();
  }

  #startSync(): void {
    this.#unsyncedBytes = 0;
    this.#isSyncing = true;
    this.#synced = this.#synced
      .then(() => this.#handle.datasync())
      .finally(() => {
        this.#isSyncing = false;
      });
    // The system reports a failed write to one sync only, so the promise keeps it for the end.
    this.#synced.catch(() => {});
  }

  /** On a disk that becomes full, a write is short before the next one fails. */
  async #writeRest(bytes: Buffer, written: number): Promise<void> {
    for (let at = written; at < bytes.length; ) {
      at += (await this.#handle.write(bytes, at)).bytesWritten;
    }
  }

  async finish(): Promise<FileFacts> {
    if (this.#batchBytes > 0) await this.#flush();
    await this.#pending;
    await this.#synced;
    await this.#handle.sync();
    const facts = factsOf(await this.#handle.stat({ bigint: true }));
    await this.#handle.close();
    return facts;
  }

  async discard(): Promise<void> {
    await this.#pending.catch(() => {});
    await this.#synced.catch(() => {});
    await this.#handle.close().catch(() => {});
    await this.#remove();
  }
}
