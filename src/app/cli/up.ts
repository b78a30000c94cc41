// `freehold up`: the service in this process, until it is told to stop.

import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { firstScreen } from "../first-screen.ts";
import { type Flags, settings } from "../settings.ts";
import { up } from "../up.ts";
import { readOptions } from "./options.ts";

export const usage = `Every option is also a variable, and a setting in freehold.json.

${Object.values(settings)
  .map(({ flag, variable, about }) => `  --${flag.padEnd(15)} ${variable.padEnd(24)} ${about}`)
  .join("\n")}
  --config        the settings' file, ./freehold.json
`;

export async function run(args: string[]): Promise<undefined> {
  const config = readConfig(flagsOf(args), process.env, process.cwd());
  // Who answers requests may be told to stop, also before the first screen is out.
  const told = new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
  const running = await up(config, process.env);
  process.stdout.write(firstScreen(config, running));
  void told.then(() => running.stop()).then(() => process.exit(0));
  return undefined;
}

function flagsOf(args: string[]): Flags {
  const flags = [...Object.values(settings).map(({ flag }) => flag), "config"];
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: "string" as const }]));
  const { values } = readOptions("up", options, () => parseArgs({ args, options }));
  const named = Object.entries(settings).map(([name, { flag }]) => [name, values[flag]]);
  return { ...Object.fromEntries(named), ...(values.config && { config: values.config }) };
}
