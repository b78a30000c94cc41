// The files and folders that a client has open.

import type { DirectoryEntry } from "../../../flows/ssh/files/attributes.ts";
import { FileError } from "../../../flows/ssh/files/file-error.ts";
import type { PodFileWriter } from "../../../flows/ssh/files/pod-files.ts";

export interface OpenHandle {
  path: string;
  /** Null if it was opened to be read only. */
  writer: PodFileWriter | null;
}

export interface OpenFolder {
  path: string;
  /** The entries that the client has not read; null before its first read. */
  entries: DirectoryEntry[] | null;
}

export const MAX_HANDLES = 64;

export class OpenHandles {
  readonly #files = new Map<string, OpenHandle>();
  readonly #folders = new Map<string, OpenFolder>();
  #last = 0;

  /** Throws a FileError if the client has too many. */
  check(): void {
    if (this.#files.size + this.#folders.size >= MAX_HANDLES) {
      throw new FileError("Too many open files");
    }
  }

  addFile(file: OpenHandle): string {
    const handle = String(++this.#last);
    this.#files.set(handle, file);
    return handle;
  }

  addFolder(folder: OpenFolder): string {
    const handle = String(++this.#last);
    this.#folders.set(handle, folder);
    return handle;
  }

  file(handle: string): OpenHandle {
    return this.#files.get(handle) ?? refuse();
  }

  folder(handle: string): OpenFolder {
    return this.#folders.get(handle) ?? refuse();
  }

  path(handle: string): string {
    return (this.#files.get(handle) ?? this.folder(handle)).path;
  }

  /** The file that was closed, or null for a folder. */
  remove(handle: string): OpenHandle | null {
    const file = this.#files.get(handle) ?? null;
    if (!file) this.folder(handle);
    this.#files.delete(handle);
    this.#folders.delete(handle);
    return file;
  }

  files(): OpenHandle[] {
    return [...this.#files.values()];
  }
}

function refuse(): never {
  throw new FileError("Unknown handle");
}
