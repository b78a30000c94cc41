// Manages the remotes whose leadership this replica holds. The clients for an engine and
// for SSH are loaded with the first such machine, because most services have none.

import { remoteAddressOf } from "../../domain/machine/remote.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { manageLoop } from "../../loops/machines/manage-machines.ts";
import type { ManageDeps } from "./managed-machine.ts";

export function manageRemotes(deps: ManageDeps): Loop {
  const { parts, heartbeatTiming, leaderships } = deps;
  const { store, log } = parts;
  return manageLoop({
    store,
    log,
    heartbeatTiming,
    leaderships,
    async manage(remote) {
      // A new machine counts for requests before its trouble is recorded.
      await deps.refreshMachines();
      return remoteAddressOf(remote.address)?.by === "kubernetes"
        ? (await import("./managed-cluster.ts")).manageCluster(deps, remote)
        : (await import("./managed-machine.ts")).manage(deps, remote);
    },
  });
}
