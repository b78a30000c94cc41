// Which Freehold a command talks to. The first of these decides: --context; --data, --listen or
// --config; FREEHOLD_URL with FREEHOLD_KEY; FREEHOLD_CONTEXT; the current context; the data folder.

import { existsSync } from "node:fs";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import type { RunningService } from "../client/running-service.ts";
import { contextNamed, LOCAL, readContexts } from "./contexts.ts";

export interface ServiceChoice {
  context?: string | undefined;
  data?: string | undefined;
  listen?: string | undefined;
  config?: string | undefined;
}

type Env = Record<string, string | undefined>;

/** Throws Refusal if there is none. `env` is empty for a command that prints these variables anew. */
export async function serviceFor(
  choice: ServiceChoice,
  env: Env = process.env,
): Promise<RunningService> {
  const { data, listen, config } = choice;
  const isLocal = data !== undefined || listen !== undefined || config !== undefined;
  if (choice.context !== undefined && isLocal) {
    throw new UsageError(
      "--context names a Freehold, so do --data, --listen and --config; use one",
    );
  }
  const remote = isLocal ? null : remoteService(choice.context, env);
  if (remote) return remote;
  // Only local commands need the code of the data folder.
  const { needService } = await import("../client/running-service.ts");
  const { homeFor } = await import("../options.ts");
  const home = homeFor(choice);
  if (data !== undefined && !existsSync(home.dataFolder))
    throw new Refusal(`there is no data folder ${home.dataFolder}`, exitCodes.notFound);
  return needService(home);
}

/** Null for the Freehold on the data folder. */
function remoteService(chosen: string | undefined, env: Env): RunningService | null {
  if (chosen === undefined) {
    const { FREEHOLD_URL: url, FREEHOLD_KEY: key } = env;
    if (url && key) return { origin: url.replace(/\/+$/, ""), key };
  }
  const name = chosen ?? (env.FREEHOLD_CONTEXT || undefined);
  if (name === LOCAL) return null;
  const contexts = readContexts(env);
  const used = name ?? contexts.current;
  if (used === null) return null;
  const { url, key } = contextNamed(contexts, used);
  return { origin: url, key };
}
