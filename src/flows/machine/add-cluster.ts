// Adding a Kubernetes cluster by the operator. Its kubeconfig is tried first, so that nothing is stored that does not work.

import { Fault } from "../../domain/fault.ts";
import { validateRemote } from "../../domain/machine/machine-request.ts";
import type { ClusterCredentials, RemoteOffer } from "../../domain/machine/remote.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { addRemoteMachine } from "../../transactions/machine/add.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type AddDeps, sealedMachine } from "./add.ts";

/** Tries a kubeconfig: where the API server is, or why the cluster cannot be used. */
export type ClusterCheck = (desired: {
  kubeconfig: string;
  context: string | null;
  /** That of network volumes; null for none. */
  storageClass: string | null;
}) => Promise<{ server: string; context: string } | { trouble: string }>;

export interface NewCluster {
  kubeconfig: string;
  /** Null selects the kubeconfig's current context. */
  context: string | null;
  name: string;
  offer: RemoteOffer;
}

export interface AddClusterDeps extends AddDeps {
  checkCluster: ClusterCheck;
  /** Where Pods reach the service; null if nothing says so. */
  publicUrl: string | null;
}

export async function addCluster(
  deps: AddClusterDeps,
  accountId: string,
  { kubeconfig, context, name, offer }: NewCluster,
): Promise<string> {
  // Others may not make the service connect anywhere.
  await throwRefusal(deps.store.read(requireOperator, accountId));
  const storageClass = offer.cluster?.networkVolumes?.storageClass ?? null;
  const found = await deps.checkCluster({ kubeconfig, context, storageClass });
  if ("trouble" in found) throw new Fault("cluster_refused", { detail: found.trouble });
  if (deps.publicUrl === null) {
    const detail = "Set FREEHOLD_PUBLIC_URL to where the cluster's Pods reach this service.";
    throw new Fault("cluster_refused", { detail });
  }
  const cluster: ClusterCredentials = { kubeconfig, context: found.context };
  const desired = {
    address: found.server,
    name: name || found.context,
    secrets: { cluster },
    offer,
  };
  const errors = validateRemote(deps.catalog, desired.address, desired.secrets, offer);
  if (errors.length > 0) throw new Fault("invalid_body", { detail: errors.join(" ") });
  const machine = sealedMachine(deps, desired);
  await throwRefusal(deps.store.write(addRemoteMachine, accountId, machine));
  return machine.id;
}
