// Access to the files of one volume, whatever holds them. A path is a list of names from the volume's
// root; no implementation follows a symbolic link. Files are written to a staging area that workloads
// do not see, and placed in one step, so that no reader sees a part of a file.
// Failures are errors with a POSIX code: ENOTDIR, EISDIR, EEXIST, ENOSPC, EDQUOT.

import type { Readable } from "node:stream";

export type Names = readonly string[];

export interface FileFacts {
  size: number;
  /** Nanoseconds since the epoch, as text: a number would lose digits. */
  mtimeNs: string;
  inode: string;
}

/** A file or folder; everything else is invisible. */
export interface VolumeEntry extends FileFacts {
  isFolder: boolean;
}

export interface VolumeChild {
  name: string;
  isFolder: boolean;
}

export interface OpenFile {
  facts: FileFacts;
  /** The bytes from `first` to `last`, inclusive. Closes the file at its end. */
  read(first: number, last: number): Readable;
  /** Reads from a position. Returns the number of bytes, which is 0 only at the end of the file. */
  readInto(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export interface StagedFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Makes it durable and closes it. It stays staged. */
  finish(): Promise<FileFacts>;
  /** Closes and deletes it. */
  discard(): Promise<void>;
}

export interface StagedFacts {
  name: string;
  size: number;
  /** The instant of its last change. */
  changedAt: number;
}

export interface VolumeFiles {
  /** Free bytes of the disk. */
  freeBytes(): Promise<number>;
  /** Bytes on disk of all files but the staged ones. */
  usedBytes(): Promise<number>;
  /** The files and folders of a folder, in no order; null if there is no such folder. */
  children(folder: Names): Promise<readonly VolumeChild[] | null>;
  /** The facts of files of one folder; null for each that is missing. */
  facts(folder: Names, names: readonly string[]): Promise<(FileFacts | null)[]>;
  find(path: Names): Promise<VolumeEntry | null>;
  /** Null if there is no such file. */
  open(path: Names): Promise<OpenFile | null>;
  /** `name` must be new. */
  createStaged(name: string): Promise<StagedFile>;
  openStaged(name: string): Promise<OpenFile | null>;
  /**
   * Moves a staged file to its path, replacing a file; with `isNew` it rejects with EEXIST instead.
   * Returns the number of leading names that are folders it created, from `created` on.
   */
  place(name: string, path: Names, isNew: boolean): Promise<{ created: Names[] }>;
  /** False if there is no such file. */
  discardStaged(name: string): Promise<boolean>;
  staged(): Promise<StagedFacts[]>;
  /** Creates a folder and its parents; returns those that did not exist. */
  makeFolder(path: Names): Promise<Names[]>;
  /** False if there is no such file. */
  remove(path: Names): Promise<boolean>;
  /** False if it does not exist or is not empty. */
  removeFolder(path: Names): Promise<boolean>;
}
