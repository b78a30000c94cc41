// Failures of the file system as S3 errors.

import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import { full } from "./volume-rooms.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const IN_THE_WAY = new Set(["ENOTDIR", "EISDIR", "ELOOP", "ENOTEMPTY"]);

/** Runs a change of a volume's files. */
export async function changingFiles<Result>(
  volume: NetworkVolume,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw s3ErrorOf(volume, error);
  }
}

function s3ErrorOf(volume: NetworkVolume, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return full(volume);
  if (code === "EEXIST") return new S3Error("PreconditionFailed", { condition: "If-None-Match" });
  // The folder of a volume is removed only with the volume.
  if (code === "ENOENT") return new S3Error("NoSuchBucket", { bucket: volume.id });
  if (!IN_THE_WAY.has(code)) return error;
  const detail = "The key is a folder in the volume, or a file or link is where it needs a folder.";
  return new S3Error("InvalidRequest", { detail });
}
