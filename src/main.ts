// The command line: freehold up, dev, env, key, why, doctor.

import { parseArgs } from "node:util";
import { ConfigMistakes, readConfig, type SettingName, settings } from "./app/config.ts";
import { Refusal } from "./app/refusal.ts";

const usage = `Usage: freehold <command> [options]

  up                 start the service (what npm start does)

Options, each also a variable and a setting in freehold.json:
${Object.values(settings)
  .map(({ flag, variable, about }) => `  --${flag.padEnd(15)} ${variable.padEnd(24)} ${about}`)
  .join("\n")}
`;

export async function main(args: string[]): Promise<void> {
  try {
    await dispatch(args);
  } catch (error) {
    if (error instanceof ConfigMistakes) {
      for (const mistake of error.mistakes) process.stderr.write(`freehold: ${mistake}\n`);
    } else if (error instanceof Refusal) {
      process.stderr.write(`freehold: ${error.message}\n`);
    } else {
      throw error;
    }
    process.exit(1);
  }
}

async function dispatch(args: string[]): Promise<void> {
  const [command = "help", ...rest] = args;
  switch (command) {
    case "up":
      return runUp(rest);
    case "help":
    case "--help":
    case "-h":
      process.stdout.write(usage);
      return;
    default:
      throw new Refusal(`there is no command "${command}"; \`freehold help\` lists them`);
  }
}

async function runUp(args: string[]): Promise<void> {
  const config = readConfig(flagsOf(args), process.env, process.cwd());
  const { up } = await import("./app/up.ts");
  const { firstScreen } = await import("./app/first-screen.ts");
  const running = await up(config, process.env);
  process.stdout.write(firstScreen(config, running));
  const stop = () => {
    void running.stop().then(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function flagsOf(args: string[]): Partial<Record<SettingName | "config", string>> {
  const options = Object.fromEntries(
    [...Object.values(settings).map(({ flag }) => flag), "config"].map((flag) => [
      flag,
      { type: "string" as const },
    ]),
  );
  try {
    const { values } = parseArgs({ args, options });
    const named = Object.entries(settings).map(([name, { flag }]) => [name, values[flag]]);
    return { ...Object.fromEntries(named), ...(values.config && { config: values.config }) };
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}
