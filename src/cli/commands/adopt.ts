// `freehold adopt`: gives the data folder to another database, after its own is lost.

import { parseArgs } from "node:util";
import { homeFor, readOptions } from "../options.ts";
import { storeOptions, storeUsage } from "../store-options.ts";

export const usage = `  freehold adopt

Gives the data folder to the database that the configuration names, empty or not. The service must
be stopped. Use it if the folder's own database is lost and there is no backup: containers that the
lost database knew keep running, and \`freehold machine list\` shows them.

${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const { values } = readOptions("adopt", storeOptions, () =>
    parseArgs({ args, options: storeOptions }),
  );
  const config = homeFor(values);
  const { adopt } = await import("../../app/installation/adopt.ts");
  const { installation, before } = await adopt(config);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ dataFolder: config.dataFolder, installation, before }, null, 2)}\n`
      : `${config.dataFolder} now belongs to installation ${installation}.\n${stays(before)}\n`,
  );
  return undefined;
}

function stays(before: string | null): string {
  const owner = before === null ? "the lost database" : `installation ${before}`;
  return (
    `Containers and volumes of ${owner} stay as they are. After the next start, ` +
    "`freehold machine list`\nshows them and `freehold machine clean` removes them."
  );
}
