// Options shared by the commands that talk to a running service.

import { type HomeConfig, readHomeConfig } from "../app/config/home-config.ts";
import type { Flags } from "../app/config/settings.ts";
import { UsageError } from "../base/refusal.ts";
import { nearestWord } from "../base/text/nearest.ts";

/** The settings that locate a running service. */
export const reachOptions = {
  data: { type: "string" },
  listen: { type: "string" },
  config: { type: "string" },
} as const;

/** The settings of commands that also reach remote services. */
export const serviceOptions = { ...reachOptions, context: { type: "string" } } as const;

const reachLines = `  --data FOLDER     the data folder of a local one (default: ./.freehold)
  --listen ADDRESS  where it listens, if the data folder does not say
  --config FILE     its settings' file (default: ./freehold.json)
`;

export const reachUsage = `
Which Freehold:
${reachLines}`;

export const serviceUsage = `
Which Freehold:
  --context NAME    a Freehold that \`freehold login\` knows, or local
${reachLines}`;

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

/** Runs `parse`, and turns Node's error about a wrong option into a sentence. */
export function readOptions<Parsed>(command: string, options: object, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS")) throw error;
    const help = `\`freehold help ${command}\` lists its options`;
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (!unknown) throw new UsageError(`${message.replace(/\.$/, "")}; ${help}`);
    const suggestion = nearestWord(unknown, Object.keys(options));
    const hint = suggestion ? `did you mean --${suggestion}?` : help;
    throw new UsageError(`"freehold ${command}" has no option ${unknown}; ${hint}`);
  }
}
