// Where models come from: a hub over HTTP, or a folder.

import type { ModelName } from "../../domain/model/reference.ts";

export interface ModelFile {
  /** Relative to the repository, with slashes. */
  path: string;
  size: number;
  /** Names its content, as the file in `blobs` is named. */
  blob: string;
  /** What its content hashes to; null if the source does not tell. */
  digest: { kind: "sha256" | "git"; hex: string } | null;
}

/** One commit of a repository. */
export interface ModelCommit {
  commit: string;
  /** True if everyone may read it, without a token. */
  isPublic: boolean;
  files: ModelFile[];
}

/** A file, and the commit that it belongs to. */
export interface FileOfCommit {
  model: ModelName;
  commit: string;
  file: ModelFile;
}

/** What a request needs besides the model: the token of the endpoint, and its end. */
export interface SourceAccess {
  token: string | null;
  signal: AbortSignal;
}

/** Reads of a file from an offset; `from` is 0 if the source could not continue. */
export interface FileRead {
  from: number;
  chunks: AsyncIterable<Uint8Array>;
}

export interface ModelSource {
  /** For the operator: "huggingface.co", or a folder. */
  readonly name: string;
  /**
   * The commit of a revision, with its files. Rejects with StartRefused if there is none or the
   * token does not give access.
   */
  find(model: ModelName, revision: string, access: SourceAccess): Promise<ModelCommit>;
  read(file: FileOfCommit, from: number, access: SourceAccess): Promise<FileRead>;
}

/** True if a path stays within its repository. */
export function isSafePath(path: string): boolean {
  const parts = path.split("/");
  return (
    path.length <= 1_000 &&
    !/[\0\\]/.test(path) &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** True if a text can name a file in `blobs`. */
export const isBlobName = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text);
