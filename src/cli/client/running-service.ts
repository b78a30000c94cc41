// The running service as local commands reach it: by the address that `up` wrote to the data
// folder, with the command line's own key.

import { readFileSync } from "node:fs";
import path from "node:path";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import type { HomeConfig } from "../../config/home-config.ts";
import { originOf } from "../../config/network/listen-address.ts";
import { ADDRESS_FILE } from "../../installation/data-folder.ts";

export interface RunningService {
  /** The origin, without a path, such as http://127.0.0.1:8700. */
  origin: string;
  key: string;
}

/** A closed port refuses at once. A service that has the connection may be slow on a busy machine. */
const LONGEST_ANSWER_MS = 30_000;

export interface NoService {
  /** Why, in a sentence. */
  none: string;
  /** Where something accepts connections and did not answer in time, so that the service may run there. */
  silent: string | null;
}

/** Finds the service on this data folder, within `longestMs`. */
export async function findService(
  config: HomeConfig,
  longestMs = LONGEST_ANSWER_MS,
): Promise<RunningService | NoService> {
  const key = textOf(config, "cli.key");
  const left = textOf(config, ADDRESS_FILE);
  const origins = [...new Set([left, originOf(config)])].filter((origin) => origin !== null);
  let unknownName: string | null = null;
  let silent: string | null = null;
  const signal = AbortSignal.timeout(longestMs);
  // One after the other, so that the key goes to the configured address only if its own does not answer.
  for (const origin of origins) {
    const status = await statusOf(`${origin}/v2/hello/health`, key ?? "none", signal);
    if (status === "silent" && key) silent ??= origin;
    if (typeof status !== "number") continue;
    // Any answer but 401 shows that the service knows the key, also one that a fault has changed.
    if (key && status !== 401) return { origin, key };
    unknownName ??= origin;
  }
  const start = "start one with `freehold up`";
  if (!unknownName)
    return { none: `no Freehold answers at ${origins.join(" or ")}; ${start}`, silent };
  const folder = `${config.dataFolder} is not the data folder of the Freehold at ${unknownName}`;
  return { none: `${folder}; name its own with --data, or ${start}`, silent };
}

/** Finds the service for a command that requires it. */
export async function needService(config: HomeConfig): Promise<RunningService> {
  const found = await findService(config);
  if ("none" in found) throw new Refusal(found.none, exitCodes.unreachable);
  return found;
}

/** Returns the first line of a file in the data folder, or null if there is no such file. */
export function textOf({ dataFolder }: HomeConfig, name: string): string | null {
  try {
    return readFileSync(path.join(dataFolder, name), "utf8").trim() || null;
  } catch {
    return null;
  }
}

async function statusOf(
  url: string,
  key: string,
  signal: AbortSignal,
): Promise<number | "silent" | null> {
  try {
    const { status, body } = await fetch(url, { headers: { authorization: key }, signal });
    await body?.cancel();
    return status;
  } catch {
    return signal.aborted ? "silent" : null;
  }
}
