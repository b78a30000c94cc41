// An object's key as the path of a file in the volume. A key that is no path, or would leave the
// volume, is refused before anything touches the file system.

import { S3Error } from "./s3-error.ts";

const MAX_KEY_BYTES = 1_024;
const MAX_NAME_BYTES = 255;

/** Names of control characters cannot be in XML, and hide what a terminal shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The folder in a volume's root that files are staged in where no other place is on its file system. */
export const HIDDEN_STAGING = ".freehold-uploads";

export interface ObjectPath {
  key: string;
  /** The names from the volume's root. */
  names: readonly string[];
  /** True if the key ends with a slash: it stands for a folder. */
  isFolder: boolean;
}

/** Throws S3Error. */
export function readKey(key: string): ObjectPath {
  const names = key.split("/");
  const isFolder = names.at(-1) === "";
  if (isFolder) names.pop();
  const bytes = Buffer.byteLength(key);
  if (bytes > MAX_KEY_BYTES || names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw new S3Error("KeyTooLongError", { bytes });
  }
  const problem =
    names.length === 0
      ? "it is empty"
      : names[0] === HIDDEN_STAGING
        ? `the name ${HIDDEN_STAGING} is reserved`
        : names.map(problemOf).find(Boolean);
  if (problem)
    throw new S3Error("InvalidArgument", { detail: `The key is not valid: ${problem}.` });
  return { key, names, isFolder };
}

/** Whether a file's name can be a part of a key. Files with other names are not listed. */
export function isKeyName(name: string): boolean {
  return problemOf(name) === null && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

function problemOf(name: string): string | null {
  if (name === "") return "it begins with a slash or has two in a row";
  if (name === "." || name === "..") return `it has the name "${name}"`;
  if (CONTROL.test(name)) return "it has a control character";
  return LONE_SURROGATE.test(name) || name.includes("\ufffd") ? "it is not valid UTF-8" : null;
}
