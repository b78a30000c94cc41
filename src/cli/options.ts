// The settings that locate a Freehold of this machine.

import { type HomeConfig, readHomeConfig } from "../config/home-config.ts";
import type { Flags } from "../config/settings.ts";

interface Reach {
  data?: string | undefined;
  listen?: string | undefined;
  config?: string | undefined;
}

/** Locates the service that these options refer to. */
export function homeFor(reach: Reach): HomeConfig {
  return readHomeConfig(flagsOf(reach), process.env, process.cwd());
}

export function flagsOf({ data, listen, config }: Reach): Flags {
  return { ...(data && { data }), ...(listen && { listen }), ...(config && { config }) };
}
