// Opens the connection to a Kubernetes cluster, and checks a new one before it is added.

import type { Clock } from "../../base/clock.ts";
import type { ClusterCredentials } from "../../domain/machine/remote.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { ApiClient } from "../../drivers/kubernetes/client/api-client.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";
import { KubeconfigError, readKubeconfig } from "../../drivers/kubernetes/client/kubeconfig.ts";
import type { KubernetesObject, ObjectList } from "../../drivers/kubernetes/client/objects.ts";
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
  { kubeconfig, context, storageClass }: Parameters<ClusterCheck>[0],
): ReturnType<ClusterCheck> {
  try {
    const access = await readKubeconfig(kubeconfig, context, clock.now());
    const trouble = await troubleIn(new ApiClient(access, clock), storageClass);
    return trouble === null ? { server: access.server, context: access.context } : { trouble };
  } catch (error) {
    return { trouble: sentenceOf(error) };
  }
}

async function troubleIn(client: ApiClient, storageClass: string | null): Promise<string | null> {
  try {
    await client.get("/version");
    const missing = await missingPermissions(client);
    if (missing.length === 0) return await storageTrouble(client, storageClass);
    const list = missing.join(", ");
    return `The kubeconfig's user may not do this in all namespaces: ${list}.`;
  } finally {
    client.close();
  }
}

async function storageTrouble(client: ApiClient, wanted: string | null): Promise<string | null> {
  if (wanted === null) return null;
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const { items } = await client.get<ObjectList<KubernetesObject>>(path);
  const names = items.map(({ metadata }) => metadata.name);
  if (names.includes(wanted)) return null;
  return `The cluster has no storage class ${JSON.stringify(wanted)}; it has: ${names.join(", ") || "none"}.`;
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
