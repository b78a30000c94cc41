// The archives of Flash builds in the data folder.

import path from "node:path";
import { FlashArchives } from "../../flows/flash-app/archives.ts";
import type { Parts } from "../service-parts.ts";
import { derived } from "./secret-key.ts";

export function openArchives({ config, secretKey }: Pick<Parts, "config" | "secretKey">) {
  return new FlashArchives(path.join(config.dataFolder, "flash"), derived(secretKey, "flash"));
}
