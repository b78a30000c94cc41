// `freehold restore <file>`: a backup becomes the store of a data folder.

import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { progressOn } from "../backup/progress.ts";
import { restore } from "../backup/restore.ts";
import type { HomeConfig } from "../home-config.ts";
import { homeFor, readOptions } from "./options.ts";
import { oneFile, refuseOnPostgres, storeOptions, storeUsage } from "./store-options.ts";
import { examinedText } from "./stored-text.ts";

export const usage = `  freehold restore FILE   a backup becomes the store of the data folder

The service must be stopped. Nothing is changed before the backup was copied and examined.

  --replace         data that is there gives way to the backup, for good
${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...storeOptions, replace: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions("restore", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const file = oneFile("restore", positionals);
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_restore --clean --if-exists --single-transaction");
  const wish = { dataFolder: config.dataFolder, file, replace: values.replace };
  const examined = await restore(wish, progressOn(process.stderr));
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ dataFolder: config.dataFolder, ...examined }, null, 2)}\n`
      : `${config.dataFolder}: ${examinedText(examined)}\n${secretText(config)}\n`,
  );
  return undefined;
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const kept = path.join(dataFolder, "secret.key");
  if (secretKey || existsSync(kept)) {
    return "The secret key must be that of the service that was backed up; it was not inside.";
  }
  return `The secret key was not inside: put yours in ${kept} before the first start.`;
}
