// Where a volume of this machine stages files: beside the folder that workloads mount, so that they do
// not see them. If that is another file system, a rename would not be possible; a hidden folder in the
// volume is used then.

import { stat } from "node:fs/promises";
import path from "node:path";
import { HIDDEN_STAGING } from "../../domain/s3/object-key.ts";
import type { VolumePlace } from "./local-volume-files.ts";

/** Null if this process cannot read the folder, as in a container that does not mount it. */
export async function volumePlace(root: string): Promise<VolumePlace | null> {
  try {
    const [own, parent] = await Promise.all([stat(root), stat(path.dirname(root))]);
    const isBeside = own.dev === parent.dev;
    const staging = isBeside
      ? path.join(path.dirname(root), "freehold-uploads")
      : path.join(root, HIDDEN_STAGING);
    return { root, staging };
  } catch {
    return null;
  }
}
