// `freehold backup <file>`: the whole store in one file, while the service runs.

import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { HomeConfig } from "../../app/config/home-config.ts";
import { progressOn } from "../../base/text/progress-line.ts";
import { homeFor, readOptions } from "../options.ts";
import { oneFile, refuseOnPostgres, storeOptions, storeUsage } from "../store-options.ts";
import { examinedText } from "../store-summary.ts";

export const usage = `  freehold backup FILE    write the whole store to one file, while the service runs or not

The file appears complete and verified or not at all, and only its owner can read it.

  --replace         replace an existing file
${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...storeOptions, replace: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions("backup", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const file = oneFile("backup", positionals);
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_dump --format=custom");
  const request = { dataFolder: config.dataFolder, file, replace: values.replace };
  // Lowers its own priority: the service comes first.
  setPriority(constants.priority.PRIORITY_LOW);
  const { backUp } = await import("../../app/backup/backup.ts");
  const examined = await backUp(request, progressOn(process.stderr));
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ file, ...examined }, null, 2)}\n`
      : `${file}: ${examinedText(examined)}\n${secretText(config)}\n`,
  );
  return undefined;
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const keyFile = path.join(dataFolder, "secret.key");
  const which = secretKey ? "FREEHOLD_SECRET_KEY" : existsSync(keyFile) ? keyFile : "secret.key";
  return `The backup does not contain the secret key: keep ${which} too, in another place than the backup.`;
}
