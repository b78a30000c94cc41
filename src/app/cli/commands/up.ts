// `freehold up`: runs the service in this process until it is stopped.

import { parseArgs } from "node:util";
import { firstScreen } from "../../boot/first-screen.ts";
import { notifySystemd } from "../../boot/notify-systemd.ts";
import { up } from "../../boot/up.ts";
import { readConfig } from "../../config/config.ts";
import { type Flags, settings } from "../../config/settings.ts";
import { readOptions } from "../options.ts";

export const usage = `Every option is also an environment variable and a setting in freehold.json.

${Object.values(settings)
  .map(({ flag, variable, about }) => `  --${flag.padEnd(15)} ${variable.padEnd(24)} ${about}`)
  .join("\n")}
  --config        the settings' file, ./freehold.json
`;

export async function run(args: string[]): Promise<undefined> {
  const config = readConfig(flagsOf(args), process.env, process.cwd());
  // A service that answers requests must handle signals, even before the first screen is printed.
  const signalled = new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
  const running = await up(config, process.env);
  process.stdout.write(firstScreen(config, running, process.stdout.isTTY));
  notifySystemd(process.env, running.origin);
  void signalled.then(() => running.stop()).then(() => process.exit(0));
  return undefined;
}

function flagsOf(args: string[]): Flags {
  const flags = [...Object.values(settings).map(({ flag }) => flag), "config"];
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: "string" as const }]));
  const { values } = readOptions("up", options, () => parseArgs({ args, options }));
  const named = Object.entries(settings).map(([name, { flag }]) => [name, values[flag]]);
  return { ...Object.fromEntries(named), ...(values.config && { config: values.config }) };
}
