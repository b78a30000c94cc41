// Opens the model cache of this machine.

import path from "node:path";
import { folderSource } from "../../drivers/models/folder-source.ts";
import { hubSource } from "../../drivers/models/hub.ts";
import { ModelCache } from "../../drivers/models/model-cache.ts";
import type { Parts } from "../service-parts.ts";
import { proxyFetch } from "./proxy-fetch.ts";

/** Null if models are off, or if containers run on another host than the data folder. */
export async function openModelCache({
  config,
  clock,
}: Pick<Parts, "config" | "clock">): Promise<ModelCache | null> {
  const { modelSource, modelCacheBytes, dataFolder, drivers, dockerHost } = config;
  const isElsewhere = drivers.includes("docker") && !dockerHost.startsWith("unix:");
  if (modelSource === null || isElsewhere) return null;
  const source =
    "hub" in modelSource
      ? hubSource(modelSource.hub, clock, await proxyFetch(process.env))
      : folderSource(modelSource.folder);
  const folder = path.join(dataFolder, "models");
  return ModelCache.open({ folder, source, limitBytes: modelCacheBytes, clock });
}
