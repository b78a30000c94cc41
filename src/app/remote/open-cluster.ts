// Opens the connection to a Kubernetes cluster, and checks a new one before it is added.

import type { Clock } from "../../base/clock.ts";
import type { ClusterCredentials } from "../../domain/machine/remote.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { ApiClient } from "../../drivers/kubernetes/client/api-client.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";
import { KubeconfigError, readKubeconfig } from "../../drivers/kubernetes/client/kubeconfig.ts";
import { Cluster } from "../../drivers/kubernetes/cluster.ts";
import { missingPermissions } from "../../drivers/kubernetes/site/permissions.ts";
import type { ClusterCheck } from "../../flows/machine/add-cluster.ts";

/** Rejects with KubeconfigError. */
export async function openCluster(
  { kubeconfig, context }: ClusterCredentials,
  clock: Clock,
  installation: string,
): Promise<Cluster> {
  const access = await readKubeconfig(kubeconfig, context, clock.now());
  return new Cluster(access, clock, installation);
}

/** The API server's address, or the sentence that says why the cluster cannot be used. */
export async function checkCluster(
  clock: Clock,
  { kubeconfig, context }: Parameters<ClusterCheck>[0],
): ReturnType<ClusterCheck> {
  try {
    const access = await readKubeconfig(kubeconfig, context, clock.now());
    const missing = await missingIn(new ApiClient(access, clock));
    if (missing.length === 0) return { server: access.server, context: access.context };
    const list = missing.join(", ");
    return { trouble: `The kubeconfig's user may not do this in all namespaces: ${list}.` };
  } catch (error) {
    return { trouble: sentenceOf(error) };
  }
}

async function missingIn(client: ApiClient): Promise<string[]> {
  try {
    await client.get("/version");
    return await missingPermissions(client);
  } finally {
    client.close();
  }
}

/** Other errors are defects, not refusals. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) {
      return "The Kubernetes API server does not accept the kubeconfig's credentials; they may have expired.";
    }
    return `The Kubernetes API server answers: ${error.message}.`;
  }
  if (error instanceof KubeconfigError || error instanceof DriverUnavailable) return error.message;
  throw error;
}
