// Changing a Kubernetes cluster by the operator: its name, credentials and settings. They are tried first, as for a new
// cluster, and the replica that manages the cluster reconnects.

import { Fault } from "../../domain/fault.ts";
import { validateOffer } from "../../domain/machine/machine-request.ts";
import {
  type ClusterCredentials,
  type ClusterOffer,
  type RemoteMachine,
  type RemoteSecrets,
  remoteAddressOf,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import { findRemote } from "../../store/remote-machine/remote-machine.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { saveCluster } from "../../transactions/machine/change.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { AddClusterDeps, DesiredCredentials } from "./add-cluster.ts";

/** What is absent stays as it is. */
export interface KubernetesClusterChanges {
  name?: string;
  credentials?: DesiredCredentials;
  /** All settings: those it omits get their defaults. */
  cluster?: ClusterOffer;
}

export async function changeCluster(
  deps: AddClusterDeps,
  accountId: string,
  id: string,
  changes: KubernetesClusterChanges,
): Promise<void> {
  await throwRefusal(deps.store.read(requireOperator, accountId));
  const remote = await deps.store.read(findRemote, id);
  if (!remote) throw new Fault("machine_not_found", { id });
  if (remoteAddressOf(remote.address)?.by !== "kubernetes") {
    const detail =
      'It is not a Kubernetes cluster: "name", "kubeconfig" and "cluster" cannot change.';
    throw new Fault("invalid_body", { detail });
  }
  const { name = remote.name, cluster = remote.offer.cluster } = changes;
  const offer = { ...remote.offer, ...(cluster && { cluster }) };
  const errors = validateOffer(deps.catalog, offer);
  if (errors.length > 0) throw new Fault("invalid_body", { detail: errors.join(" ") });
  const credentials = await triedCredentials(deps, remote, changes);
  const secrets = deps.vault.seal(JSON.stringify({ cluster: credentials }), remoteOwner(id));
  const changed = { id, name, secrets, offer };
  await throwRefusal(deps.store.write(saveCluster, accountId, remote.secrets, changed));
}

async function triedCredentials(
  { checkCluster, vault }: AddClusterDeps,
  { id, address, secrets, offer }: RemoteMachine,
  { credentials, cluster = offer.cluster }: KubernetesClusterChanges,
): Promise<ClusterCredentials> {
  const stored = () => (JSON.parse(vault.open(secrets, remoteOwner(id))) as RemoteSecrets).cluster!;
  const found = await checkCluster({
    credentials: credentials ?? stored(),
    settings: cluster ?? {},
  });
  if ("trouble" in found) throw new Fault("cluster_refused", { detail: found.trouble });
  if (found.address === address) return found.credentials;
  const detail = `The kubeconfig leads to ${found.address}, and this cluster is at ${address}.`;
  throw new Fault("cluster_refused", { detail });
}
