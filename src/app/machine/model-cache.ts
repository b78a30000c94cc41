// Opens the model cache of this machine.

import path from "node:path";
import type { EnvHttpProxyAgent } from "undici";
import { folderSource } from "../../drivers/models/folder-source.ts";
import { hubSource } from "../../drivers/models/hub.ts";
import { ModelCache } from "../../drivers/models/model-cache.ts";
import type { Parts } from "../service-parts.ts";

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

/**
 * `fetch` through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Node reads them only for the whole
 * process, where calls of workers and engines must not go through a proxy. Returns Node's own `fetch` if the
 * environment names no proxy.
 */
export async function proxyFetch(environment: NodeJS.ProcessEnv): Promise<typeof fetch> {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const [httpProxy, httpsProxy] = [read("HTTP_PROXY"), read("HTTPS_PROXY")];
  if (!httpProxy && !httpsProxy) return fetch;
  const undici = await import("undici");
  const noProxy = read("NO_PROXY") ?? "";
  const dispatcher: EnvHttpProxyAgent = new undici.EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
  });
  const through = (url: string, options: object) => undici.fetch(url, { ...options, dispatcher });
  return through as unknown as typeof fetch;
}
