// Optional files of the operator in the data folder.

import { readFileSync } from "node:fs";
import { ConfigErrors } from "../../../base/refusal.ts";

/** Null without the file. Throws ConfigErrors if it cannot be read. */
export function readDataFile(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new ConfigErrors([`${file} cannot be read: ${(error as Error).message}`]);
  }
}
