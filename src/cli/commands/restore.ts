// `freehold restore <file>`: replaces the store of a data folder by a backup.

import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { HomeConfig } from "../../app/config/home-config.ts";
import { progressOn } from "../../base/text/progress-line.ts";
import { homeFor, readOptions } from "../options.ts";
import { oneFile, refuseOnPostgres, storeOptions, storeUsage } from "../store-options.ts";
import { examinedText } from "../store-summary.ts";

export const usage = `  freehold restore FILE   replace the store of the data folder by a backup

The service must be stopped. Nothing changes before the backup is copied and verified.

  --replace         replace existing data permanently
${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...storeOptions, replace: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions("restore", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const file = oneFile("restore", positionals);
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_restore --clean --if-exists --single-transaction");
  const request = { dataFolder: config.dataFolder, file, replace: values.replace };
  const { restore } = await import("../../app/backup/restore.ts");
  const examined = await restore(request, progressOn(process.stderr));
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ dataFolder: config.dataFolder, ...examined }, null, 2)}\n`
      : `${config.dataFolder}: ${examinedText(examined)}\n${secretText(config)}\n`,
  );
  return undefined;
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const keyFile = path.join(dataFolder, "secret.key");
  if (secretKey || existsSync(keyFile)) {
    return "The backup does not contain the secret key: use that of the service that was backed up.";
  }
  return `The backup does not contain the secret key: put yours in ${keyFile} before the first start.`;
}
