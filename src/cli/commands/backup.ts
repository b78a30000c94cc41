// `freehold backup <file>`: the whole store in one file, while the service runs.

import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { progressOn } from "../../base/text/progress-line.ts";
import type { HomeConfig } from "../../config/home-config.ts";
import { homeFor } from "../options.ts";
import { printJson, write } from "../output/answer.ts";
import { addStoreOptions } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import { refuseOnPostgres, type StoreValues } from "../store-options.ts";
import { examinedText } from "../store-summary.ts";

export const { usage, run } = defineCommand("backup", (program) => {
  program.argument("<file>", "where to write it");
  addNotes(
    program,
    "The service may run. The file appears complete and verified or not at all, and only its owner",
    "can read it.",
  );
  program.option("--replace", "replace an existing file");
  addStoreOptions(program).action(writeBackup);
  addExamples(program, "freehold backup monday.backup");
});

async function writeBackup(
  name: string,
  values: StoreValues & { replace?: boolean },
): Promise<void> {
  const file = path.resolve(name);
  const config = homeFor(values);
  refuseOnPostgres(config, "pg_dump --format=custom");
  const request = { dataFolder: config.dataFolder, file, replace: values.replace === true };
  // Lowers its own priority: the service comes first.
  setPriority(constants.priority.PRIORITY_LOW);
  const { backUp } = await import("../../installation/backup/backup.ts");
  const examined = await backUp(request, progressOn(process.stderr));
  if (values.json) printJson({ file, ...examined });
  else write(`${file}: ${examinedText(examined)}\n${secretText(config)}\n`);
}

function secretText({ dataFolder, secretKey }: HomeConfig): string {
  const keyFile = path.join(dataFolder, "secret.key");
  const which = secretKey ? "FREEHOLD_SECRET_KEY" : existsSync(keyFile) ? keyFile : "secret.key";
  return `The backup does not contain the secret key: keep ${which} too, in another place than the backup.`;
}
