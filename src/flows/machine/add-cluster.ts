// Adding a Kubernetes cluster by the operator. Its credentials are tried first, so that nothing is stored that does not work.

import { Fault } from "../../domain/fault.ts";
import { validateOffer } from "../../domain/machine/machine-request.ts";
import type {
  ClusterCredentials,
  ClusterOffer,
  InCluster,
  RemoteOffer,
} from "../../domain/machine/remote.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { addRemoteMachine } from "../../transactions/machine/add.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type AddDeps, type NewMachine, sealedMachine } from "./add.ts";

/** Tries credentials: which cluster they lead to, or why it cannot be used. */
export type ClusterCheck = (desired: {
  credentials: DesiredCredentials;
  /** Its classes are tried too. */
  settings: ClusterOffer;
}) => Promise<IdentifiedCluster | { trouble: string }>;

export type DesiredCredentials =
  | {
      kubeconfig: string;
      /** Null selects the kubeconfig's current context. */
      context: string | null;
    }
  | InCluster;

export interface IdentifiedCluster {
  address: string;
  /** Its display name if the operator chose none. */
  name: string;
  credentials: ClusterCredentials;
}

export interface NewKubernetesCluster {
  credentials: DesiredCredentials;
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
  { credentials, name, offer }: NewKubernetesCluster,
): Promise<string> {
  // Others may not make the service connect anywhere.
  await throwRefusal(deps.store.read(requireOperator, accountId));
  const errors = validateOffer(deps.catalog, offer);
  if (errors.length > 0) throw new Fault("invalid_body", { detail: errors.join(" ") });
  const settings = offer.cluster ?? {};
  const found = await deps.checkCluster({ credentials, settings });
  if ("trouble" in found) throw new Fault("cluster_refused", { detail: found.trouble });
  if (deps.publicUrl === null && settings.callbackUrl === undefined) {
    const detail = "Set FREEHOLD_PUBLIC_URL to where the cluster's Pods reach this service.";
    throw new Fault("cluster_refused", { detail });
  }
  const machine = sealedMachine(deps, clusterMachine(found, name, offer));
  await throwRefusal(deps.store.write(addRemoteMachine, accountId, machine));
  return machine.id;
}

/** The cluster as a machine to store. */
export function clusterMachine(
  { address, credentials, name: usualName }: IdentifiedCluster,
  name: string,
  offer: RemoteOffer,
): NewMachine {
  return { address, name: name || usualName, secrets: { cluster: credentials }, offer };
}
