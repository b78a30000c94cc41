// A regular file that is open for reading. FIFOs, sockets and devices are refused after they were
// opened without blocking.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FileFacts, OpenFile } from "../volume-files.ts";
import { isMissing } from "./missing.ts";

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Larger reads cost fewer trips to the thread pool. */
const READ_BYTES = 512 * 1_024;

interface BigFacts {
  size: bigint;
  mtimeNs: bigint;
  ino: bigint;
}

export function factsOf({ size, mtimeNs, ino }: BigFacts): FileFacts {
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) };
}

/** Closes the handle if what makes it usable fails, as no other has it yet. */
export async function closedOnFailure<Result>(
  handle: { close(): Promise<void> },
  prepare: () => Promise<Result>,
): Promise<Result> {
  try {
    return await prepare();
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Null if it is missing, no regular file, or on another device. */
export async function openRegular(path: string, device: bigint | null): Promise<OpenFile | null> {
  const handle = await open(path, FLAGS).catch((error) => {
    if (isMissing(error) || error.code === "ENXIO" || error.code === "EISDIR") return null;
    throw error;
  });
  if (!handle) return null;
  const stat = await closedOnFailure(handle, () => handle.stat({ bigint: true }));
  if (stat.isFile() && (device === null || stat.dev === device))
    return opened(handle, factsOf(stat));
  await handle.close();
  return null;
}

function opened(handle: FileHandle, facts: FileFacts): OpenFile {
  return {
    facts,
    read(first, last) {
      if (last < first) {
        void handle.close();
        return Readable.from([]);
      }
      return handle.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES });
    },
    async readInto(buffer, position) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      return bytesRead;
    },
    close: () => handle.close(),
  };
}
