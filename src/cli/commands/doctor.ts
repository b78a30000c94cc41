// `freehold doctor`: checks everything that Freehold depends on, and prints a fix for each problem.

import { systemClock } from "../../base/clock.ts";
import { readConfig } from "../../config/config.ts";
import { folderIdentity } from "../../installation/folder-identity.ts";
import { checkAddress } from "../doctor/address.ts";
import { checkKey } from "../doctor/cli-key.ts";
import { checkDataFolder } from "../doctor/data-folder.ts";
import { checkSpace, checkSync } from "../doctor/disk.ts";
import { inspectEngine } from "../doctor/engine.ts";
import { type Finding, findings } from "../doctor/finding.ts";
import { checkGpus } from "../doctor/gpus.ts";
import { checkLeftovers } from "../doctor/leftovers.ts";
import { checkMachines } from "../doctor/machines.ts";
import { checkCertificate } from "../doctor/network/certificate.ts";
import { checkReach } from "../doctor/network/reach.ts";
import { checkNode } from "../doctor/node-version.ts";
import { checkPython } from "../doctor/python.ts";
import { checkReservedNames } from "../doctor/reserved-names.ts";
import { checkStorage } from "../doctor/storage.ts";
import { flagsOf } from "../options.ts";
import { addReachOptions } from "../program/common-options.ts";
import { addNotes, defineCommand } from "../program/define-command.ts";

interface Values {
  data?: string;
  listen?: string;
  config?: string;
  python: string;
}

export const { usage, run } = defineCommand("doctor", (program) => {
  addNotes(
    program,
    "Each line is ok, warn or fail, with a fix. The exit code is 1 if any line is fail.",
  );
  program.option("--python <program>", "the Python to check", "python3");
  addReachOptions(program).action(diagnose);
});

async function diagnose(values: Values): Promise<void> {
  const config = readConfig(flagsOf(values), process.env, process.cwd());
  const { dataFolder } = config;
  const { finding: address, service, isSilent } = await checkAddress(config);
  const found: Finding[] = [
    checkNode(process.versions.node),
    checkDataFolder(dataFolder),
    checkKey(config, service !== null),
    address,
    checkSpace(dataFolder),
    checkSync(dataFolder, systemClock),
    await checkPython(values.python),
    await inspectEngine(config, systemClock),
    ...(await checkGpus(process.env)),
    ...(await checkCertificate(config, service)),
    ...(await checkReservedNames(service)),
    ...(await checkStorage(service)),
    ...(await checkMachines(service, service && folderIdentity(dataFolder).machine)),
    ...(service === null ? [] : await checkReach(config)),
    ...(await checkLeftovers(config, service !== null || isSilent, systemClock)),
  ];
  process.stdout.write(findings(found));
  if (found.some(({ level }) => level === "fail")) process.exitCode = 1;
}
