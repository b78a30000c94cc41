// `freehold backup <file>`: the whole store in one file, while the service runs.

import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { backUp } from "../backup/backup.ts";
import { progressOn } from "../backup/progress.ts";
import type { HomeConfig } from "../home-config.ts";
import { homeFor, readOptions } from "./options.ts";
import { oneFile, refuseOnPostgres, storeOptions, storeUsage } from "./store-options.ts";
import { examinedText } from "./stored-text.ts";

export const usage = `  freehold backup FILE    the whole store in one file; the service may go on meanwhile

The file is there whole or not at all, was examined, and can be read by its owner alone.

  --replace         a file of that name gives way to the new one
${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...storeOptions, replace: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions("backup", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const file = oneFile("backup", positionals);
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_dump --format=custom");
  const wish = { dataFolder: config.dataFolder, file, replace: values.replace };
  // The service goes first, where both want the processor.
  setPriority(constants.priority.PRIORITY_LOW);
  const examined = await backUp(wish, progressOn(process.stderr));
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ file, ...examined }, null, 2)}\n`
      : `${file}: ${examinedText(examined)}\n${secretText(config)}\n`,
  );
  return undefined;
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const kept = path.join(dataFolder, "secret.key");
  const which = secretKey ? "FREEHOLD_SECRET_KEY" : existsSync(kept) ? kept : "secret.key";
  return `The secret key is not inside: keep ${which} as well, in another place than the backup.`;
}
