// What the commands that talk to a running service have in common on the command line.

import { nearest } from "../../base/nearest.ts";
import { type Config, readConfig } from "../config.ts";
import { Refusal } from "../refusal.ts";

/** The settings by which a running service is found. */
export const reachOptions = {
  data: { type: "string" },
  listen: { type: "string" },
  config: { type: "string" },
} as const;

export const reachUsage = `  --data FOLDER     the data folder of the service, ./.freehold
  --listen ADDRESS  where it listens, if the data folder does not say
`;

interface Reach {
  data?: string | undefined;
  listen?: string | undefined;
  config?: string | undefined;
}

/** The configuration of the service that these options mean. */
export function configFor({ data, listen, config }: Reach): Config {
  const flags = { ...(data && { data }), ...(listen && { listen }), ...(config && { config }) };
  return readConfig(flags, process.env, process.cwd());
}

/** Runs `parse`, and turns what Node says of a wrong option into a sentence of ours. */
export function readOptions<Parsed>(command: string, options: object, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS")) throw error;
    const help = `\`freehold help ${command}\` lists what there is`;
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (!unknown) throw new Refusal(`${message.replace(/\.$/, "")}; ${help}`);
    const meant = nearest(unknown, Object.keys(options));
    const hint = meant ? `did you mean --${meant}?` : help;
    throw new Refusal(`"freehold ${command}" has no option ${unknown}; ${hint}`);
  }
}
