// One cluster, managed for as long as this replica holds its leadership. Its nodes are machines, and share the cluster's
// connection.

import {
  type RemoteMachine,
  type RemoteSecrets,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import type { VolumeName } from "../../drivers/driver.ts";
import { removeClaim } from "../../drivers/kubernetes/claims.ts";
import { clearAway } from "../../drivers/kubernetes/site/clear-away.ts";
import { ClusterNodes } from "../../drivers/kubernetes/site/cluster-nodes.ts";
import { keysFrom } from "../../installation/derived-keys.ts";
import { nodesPresenceLoop } from "../../loops/clusters/nodes-presence.ts";
import { runBusyNodesLoop } from "../../loops/clusters/run-busy-nodes.ts";
import { removeVolumesLoop } from "../../loops/machines/remove-volumes.ts";
import { workloadsWithPlace } from "../../transactions/place/with-place.ts";
import { leaveReplica } from "../../transactions/replica/membership.ts";
import { ClusterProbing } from "./cluster-probing.ts";
import type { ManageDeps } from "./managed-machine.ts";
import { callbackUrl, ManagedNodes } from "./managed-nodes.ts";
import { NodeMachines } from "./node-machines.ts";
import { openCluster, sentenceOf } from "./open-cluster.ts";

/**
 * Returns a function that stops managing it. Pods keep running unless the cluster was removed. Rejects
 * with a sentence if its credentials cannot be used any more.
 */
export async function manageCluster(
  deps: ManageDeps,
  remote: RemoteMachine,
): Promise<(removed: boolean) => Promise<void>> {
  const { parts, heartbeatTiming, replica } = deps;
  const { store, clock, log, ids } = parts;
  const { vault } = keysFrom(parts.secretKey);
  const secrets = JSON.parse(vault.open(remote.secrets, remoteOwner(remote.id))) as RemoteSecrets;
  const cluster = await openCluster(secrets.cluster!, parts, parts.installation);
  const nodes = new ClusterNodes(cluster);
  const seats = new Map<string, string>();
  const managed = new ManagedNodes(deps, remote, cluster);
  const machines = new NodeMachines(parts.catalog, remote);
  const probing = new ClusterProbing(parts, remote, cluster);
  const presence = nodesPresenceLoop({
    store,
    clock,
    heartbeatTiming,
    remote,
    replicaId: replica.id,
    limits: parts.config.gpuLimits,
    async nodes() {
      const publicUrl = callbackUrl(remote, parts.config.publicUrl);
      const found = await nodes
        .list((ids) => store.read(workloadsWithPlace, ids))
        .catch((error) => {
          throw new Error(sentenceOf(error));
        });
      await probing.renewIfDue(publicUrl).catch((error) => {
        throw new Error(sentenceOf(error));
      });
      return machines.describe(found, probing.state);
    },
    seatOf({ machine }) {
      const id = seats.get(machine) ?? ids.short(14);
      seats.set(machine, id);
      return { id, machine, drivers: ["kubernetes"], address: replica.address };
    },
    startLoops: (started) => managed.start(started),
    stopLoops: (machine) => managed.stop(machine),
  });
  const owner = { installation: parts.installation, machine: remote.id };
  const claims = { removeVolume: (volume: VolumeName) => removeClaim(cluster, owner, volume) };
  const removeVolumes = removeVolumesLoop({
    store,
    log,
    machine: remote.id,
    drivers: [claims],
    users: () => managed.volumeUsers(),
  });
  const busyNodes = runBusyNodesLoop({
    store,
    clock,
    observed: () => managed.observed(),
    run: (machine) => managed.run(machine),
    rest: (machine) => managed.rest(machine),
  });
  const watching = managed.runLoops([presence, removeVolumes, busyNodes]);
  return async (removed) => {
    await watching.stop();
    await probing.stop();
    await managed.stopAll();
    if (removed) {
      await clearAway(cluster).catch((err) => {
        log.warn({ err, cluster: remote.id }, "the Pods of a removed cluster are left in it");
      });
    }
    await nodes.close();
    await cluster.close();
    for (const id of seats.values()) await store.write(leaveReplica, id, clock.now());
  };
}
