// The archives of Flash builds in the data folder, and those of the other replicas.

import path from "node:path";
import { FlashArchives } from "../../flows/flash-app/archives.ts";
import { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import type { PeerClient } from "../../flows/replica/peer-client.ts";
import type { Parts } from "../service-parts.ts";
import { derived } from "./secret-key.ts";

export function openArchives(
  { store, config, secretKey }: Pick<Parts, "store" | "config" | "secretKey">,
  peers: PeerClient,
) {
  const folder = path.join(config.dataFolder, "flash");
  const flashArchives = new FlashArchives(folder, derived(secretKey, "flash"));
  return { flashArchives, sharedArchives: new SharedArchives({ store, flashArchives, peers }) };
}
