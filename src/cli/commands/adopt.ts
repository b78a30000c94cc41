// `freehold adopt`: gives the data folder to another database, after its own is lost.

import { homeFor } from "../options.ts";
import { printJson, write } from "../output/answer.ts";
import { addStoreOptions } from "../program/common-options.ts";
import { addNotes, defineCommand } from "../program/define-command.ts";
import type { StoreValues } from "../store-options.ts";

export const { usage, run } = defineCommand("adopt", (program) => {
  addNotes(
    program,
    "Gives the data folder to the database that the configuration names, empty or not. The service",
    "must be stopped. Use it if the folder's own database is lost and there is no backup: containers",
    "that the lost database knew keep running, and `freehold machine list` shows them.",
  );
  addStoreOptions(program).action(adoptFolder);
});

async function adoptFolder(values: StoreValues): Promise<void> {
  const config = homeFor(values);
  const { dataFolder } = config;
  const { adopt } = await import("../../installation/adopt.ts");
  const { installation, before } = await adopt(config);
  if (values.json) return printJson({ dataFolder, installation, before });
  write(`${dataFolder} now belongs to installation ${installation}.\n${stays(before)}\n`);
}

function stays(before: string | null): string {
  const owner = before === null ? "the lost database" : `installation ${before}`;
  return (
    `Containers and volumes of ${owner} stay as they are. After the next start, ` +
    "`freehold machine list`\nshows them and `freehold machine clean` removes them."
  );
}
