// `freehold restore <file>`: replaces the store of a data folder by a backup.

import { existsSync } from "node:fs";
import path from "node:path";
import { progressOn } from "../../base/text/progress-line.ts";
import type { HomeConfig } from "../../config/home-config.ts";
import { homeFor } from "../options.ts";
import { printJson, write } from "../output/answer.ts";
import { addStoreOptions } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import { refuseOnPostgres, type StoreValues } from "../store-options.ts";
import { examinedText } from "../store-summary.ts";

export const { usage, run } = defineCommand("restore", (program) => {
  program.argument("<file>", "a file that `freehold backup` wrote");
  addNotes(
    program,
    "The service must be stopped. Nothing changes before the backup is copied and verified.",
  );
  program.option("--replace", "replace existing data permanently");
  addStoreOptions(program).action(replaceStore);
  addExamples(program, "freehold restore monday.backup --replace");
});

async function replaceStore(
  name: string,
  values: StoreValues & { replace?: boolean },
): Promise<void> {
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_restore --clean --if-exists --single-transaction");
  const { dataFolder } = config;
  const request = { dataFolder, file: path.resolve(name), replace: values.replace === true };
  const { restore } = await import("../../installation/backup/restore.ts");
  const examined = await restore(request, progressOn(process.stderr));
  if (values.json) printJson({ dataFolder, ...examined });
  else write(`${dataFolder}: ${examinedText(examined)}\n${secretText(config)}\n`);
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const keyFile = path.join(dataFolder, "secret.key");
  if (secretKey || existsSync(keyFile)) {
    return "The backup does not contain the secret key: use that of the service that was backed up.";
  }
  return `The backup does not contain the secret key: put yours in ${keyFile} before the first start.`;
}
