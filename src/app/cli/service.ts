// The running service as this machine's own commands reach it: the address that `up` left in the
// data folder, and the command line's own key beside it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { ADDRESS_FILE } from "../data-folder.ts";
import type { HomeConfig } from "../home-config.ts";
import { Refusal } from "../refusal.ts";

export interface Service {
  /** Without a path: http://127.0.0.1:8700 */
  origin: string;
  key: string;
}

/** Long enough for a busy machine, short enough for somebody who waits. */
const LONGEST_ANSWER_MS = 5_000;

/** The service that runs on this data folder; a sentence says why there is none. */
export async function findService(config: HomeConfig): Promise<Service | { none: string }> {
  const key = textOf(config, "cli.key");
  const left = textOf(config, ADDRESS_FILE);
  const origins = [...new Set([left, originOf(config)])].filter((origin) => origin !== null);
  let stranger: string | null = null;
  for (const origin of origins) {
    const status = await statusOf(`${origin}/v2/hello/health`, key ?? "none");
    if (status === null) continue;
    // Whatever else it thinks of the question: it is ours if it knows the key.
    if (key && (status === 200 || status === 404)) return { origin, key };
    stranger ??= origin;
  }
  const start = "start one with `freehold up`";
  if (!stranger) return { none: `no Freehold answers at ${origins.join(" or ")}; ${start}` };
  const folder = `${config.dataFolder} is not the data folder of what answers at ${stranger}`;
  return { none: `${folder}; name its own with --data, or ${start}` };
}

/** The same, for a command that can do nothing without it. */
export async function needService(config: HomeConfig): Promise<Service> {
  const found = await findService(config);
  if ("none" in found) throw new Refusal(found.none);
  return found;
}

/** Where the configuration says that the service listens, as a client of this machine writes it. */
export function originOf({ host, port }: Pick<HomeConfig, "host" | "port">): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The first line of a file in the data folder, or null where there is none. */
export function textOf({ dataFolder }: HomeConfig, name: string): string | null {
  try {
    return readFileSync(path.join(dataFolder, name), "utf8").trim() || null;
  } catch {
    return null;
  }
}

async function statusOf(url: string, key: string): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
    const { status, body } = await fetch(url, { headers: { authorization: key }, signal });
    await body?.cancel();
    return status;
  } catch {
    return null;
  }
}
