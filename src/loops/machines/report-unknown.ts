// Reports what other installations have on a machine's engine. It ends none of it, because another store
// may know it; it removes only what an operator requested.

import type { Logger } from "../../base/log.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import type { InstallationUse, SharedEngine } from "../../drivers/shared-engine.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type ObservedInstallation,
  type UnknownInstallation,
  unknownInstallationsOn,
} from "../../store/unknown-installation/unknown-installation.ts";
import { endRemoval, recordUnknown } from "../../transactions/machine/record-unknown.ts";
import type { Loop } from "../engine/loop.ts";

export interface ReportUnknownDeps {
  store: Store;
  log: Logger;
  machine: string;
  engine: SharedEngine;
  /** The data folder of this service; null on a remote machine. */
  dataFolder: string | null;
}

export function reportUnknownLoop(deps: ReportUnknownDeps): Loop {
  const { store, machine, engine } = deps;
  const logged = new Set<string>();
  return {
    name: "report-unknown",
    shared: false,
    periodMs: 30_000,
    restMs: 1_000,
    topics: [topic.removals],
    async run() {
      const known = await store.read(unknownInstallationsOn, machine);
      for (const each of known) await removeRequested(deps, each);
      const observed = await engine.others();
      if (!isSame(known, observed)) {
        await store.write(recordUnknown, machine, observed);
      }
      logNew(deps, observed, logged);
      return null;
    },
  };
}

/** A removal that fails is withdrawn, so that the operator sees what is left and decides again. */
async function removeRequested(
  { store, log, machine, engine }: ReportUnknownDeps,
  { installation, removal }: UnknownInstallation,
): Promise<void> {
  if (removal === null) return;
  log.info({ machine, installation, removal }, "removing what another installation has here");
  try {
    await engine.remove(installation, removal === "all");
  } catch (err) {
    if (err instanceof DriverUnavailable) throw err;
    log.warn({ err, machine, installation }, "not everything could be removed");
  }
  await store.write(endRemoval, machine, installation);
}

function isSame(known: UnknownInstallation[], observed: ObservedInstallation[]): boolean {
  const fields = ({ installation, containers, running, networks, volumes }: ObservedInstallation) =>
    [installation, containers, running, networks, volumes].join();
  return known.map(fields).join(";") === observed.map(fields).join(";");
}

/** Once for each installation and start of the service. */
function logNew(
  { log, machine, dataFolder }: ReportUnknownDeps,
  observed: InstallationUse[],
  logged: Set<string>,
): void {
  for (const each of observed) {
    if (logged.has(each.installation)) continue;
    logged.add(each.installation);
    const line = [
      { machine, ...each },
      "another installation has containers, networks or volumes here; they are left alone until " +
        "`freehold machine clean` removes them",
    ] as const;
    // What came from this service's own data folder is abandoned; another service knows its own.
    if (each.dataFolder === dataFolder) log.warn(...line);
    else log.info(...line);
  }
}
