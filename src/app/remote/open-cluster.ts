// Opens the connection to a Kubernetes cluster, and checks a new one before it is added.

import type { ClusterCredentials, ClusterOffer } from "../../domain/machine/remote.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { ApiClient } from "../../drivers/kubernetes/client/api-client.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";
import { KubeconfigError } from "../../drivers/kubernetes/client/kubeconfig.ts";
import { ServiceAccountError } from "../../drivers/kubernetes/client/service-account.ts";
import { KubernetesCluster } from "../../drivers/kubernetes/cluster.ts";
import { missingClass } from "../../drivers/kubernetes/site/classes.ts";
import { missingSentence } from "../../drivers/kubernetes/site/notices.ts";
import { missingPermissions } from "../../drivers/kubernetes/site/permissions.ts";
import type { ClusterCheck } from "../../flows/machine/add-cluster.ts";
import { type AccessDeps, accessTo, identifyCluster } from "./cluster-access.ts";

/** Rejects with an error that `sentenceOf` knows. */
export async function openCluster(
  credentials: ClusterCredentials,
  deps: AccessDeps,
  installation: string,
): Promise<KubernetesCluster> {
  return new KubernetesCluster(await accessTo(credentials, deps), deps.clock, installation);
}

/** Which cluster it is, or the sentence that says why it cannot be used. */
export async function checkCluster(
  deps: AccessDeps,
  { credentials, settings }: Parameters<ClusterCheck>[0],
): ReturnType<ClusterCheck> {
  try {
    const identified = await identifyCluster(credentials, deps.clock.now());
    const access = await accessTo(identified.credentials, deps);
    const trouble = await troubleIn(new ApiClient(access, deps.clock), settings);
    return trouble === null ? identified : { trouble };
  } catch (error) {
    return { trouble: sentenceOf(error) };
  }
}

async function troubleIn(client: ApiClient, settings: ClusterOffer): Promise<string | null> {
  try {
    await client.get("/version");
    const missing = await missingPermissions(client);
    return missing.length > 0 ? missingSentence(missing) : await missingClass(client, settings);
  } finally {
    client.close();
  }
}

/** Other errors are defects, not refusals. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) {
      return "The Kubernetes API server does not accept the credentials; they may have expired.";
    }
    return `The Kubernetes API server answers: ${error.message}.`;
  }
  const isKnown = [KubeconfigError, ServiceAccountError, DriverUnavailable].some(
    (kind) => error instanceof kind,
  );
  if (isKnown) return (error as Error).message;
  throw error;
}
