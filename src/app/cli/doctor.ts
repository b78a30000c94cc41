// `freehold doctor`: looks at everything that Freehold stands on, and says what would mend it.

import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { readConfig } from "../config.ts";
import { lookAtAddress } from "../doctor/address.ts";
import { lookAtKey } from "../doctor/cli-key.ts";
import { lookAtDataFolder } from "../doctor/data-folder.ts";
import { lookAtSpace, lookAtSync } from "../doctor/disk.ts";
import { lookAtEngine } from "../doctor/engine.ts";
import { type Finding, findings } from "../doctor/finding.ts";
import { lookAtNode } from "../doctor/node-version.ts";
import { lookAtPython } from "../doctor/python.ts";
import { flagsOf, reachOptions, reachUsage, readOptions } from "./options.ts";

export const usage = `Each line is ok, warn or fail, with what would mend it; the exit code is 1 if one is fail.

  --python PROGRAM  the Python to look at, python3
${reachUsage}`;

export async function run(args: string[]): Promise<number> {
  const options = { ...reachOptions, python: { type: "string", default: "python3" } } as const;
  const { values } = readOptions("doctor", options, () => parseArgs({ args, options }));
  const config = readConfig(flagsOf(values), process.env, process.cwd());
  const { dataFolder } = config;
  const { finding: address, service } = await lookAtAddress(config);
  const found: Finding[] = [
    lookAtNode(process.versions.node),
    lookAtDataFolder(dataFolder),
    lookAtKey(config, service !== null),
    address,
    lookAtSpace(dataFolder),
    lookAtSync(dataFolder, systemClock),
    await lookAtPython(values.python),
    await lookAtEngine(config, systemClock),
  ];
  process.stdout.write(findings(found));
  return found.some(({ level }) => level === "fail") ? 1 : 0;
}
