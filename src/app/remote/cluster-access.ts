// Which cluster credentials lead to, and the access that they give.

import type { Clock } from "../../base/clock.ts";
import { type ClusterCredentials, OWN_CLUSTER_ADDRESS } from "../../domain/machine/remote.ts";
import { type ClusterAccess, readKubeconfig } from "../../drivers/kubernetes/client/kubeconfig.ts";
import { serviceAccountAccess } from "../../drivers/kubernetes/client/service-account.ts";
import type { DesiredCredentials, IdentifiedCluster } from "../../flows/machine/add-cluster.ts";

export interface AccessDeps {
  clock: Clock;
  env: Record<string, string | undefined>;
}

/** Does not connect. Rejects with KubeconfigError. */
export async function identifyCluster(
  desired: DesiredCredentials,
  now: number,
): Promise<IdentifiedCluster> {
  if ("inCluster" in desired) {
    return { address: OWN_CLUSTER_ADDRESS, name: "in-cluster", credentials: { inCluster: true } };
  }
  const { kubeconfig } = desired;
  const { server, context } = await readKubeconfig(kubeconfig, desired.context, now);
  return { address: server, name: context, credentials: { kubeconfig, context } };
}

/** Rejects with KubeconfigError or ServiceAccountError. */
export async function accessTo(
  credentials: ClusterCredentials,
  { clock, env }: AccessDeps,
): Promise<ClusterAccess> {
  if ("inCluster" in credentials) return serviceAccountAccess(env, clock);
  return readKubeconfig(credentials.kubeconfig, credentials.context, clock.now());
}
