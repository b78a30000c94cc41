// The clusters of the configuration, as machines to store. None is contacted: one that cannot be used does not keep the
// service from starting.

import { ConfigErrors } from "../../base/refusal.ts";
import { KubeconfigError } from "../../drivers/kubernetes/client/kubeconfig.ts";
import type { NewMachine } from "../../flows/machine/add.ts";
import {
  clusterMachine,
  type IdentifiedCluster,
  type NewKubernetesCluster,
} from "../../flows/machine/add-cluster.ts";
import { identifyCluster } from "./cluster-access.ts";

/** Rejects with ConfigErrors. */
export async function configuredClusters(
  clusters: readonly NewKubernetesCluster[],
): Promise<NewMachine[]> {
  const machines: NewMachine[] = [];
  const errors: string[] = [];
  for (const { credentials, name, offer } of clusters) {
    const found = await identify(credentials);
    if (typeof found === "string") errors.push(sentence(name, found));
    else if (machines.some(({ address }) => address === found.address)) {
      errors.push(sentence(name || found.name, `${found.address} is listed twice`));
    } else machines.push(clusterMachine(found, name, offer));
  }
  if (errors.length > 0) throw new ConfigErrors(errors);
  return machines;
}

const sentence = (name: string, error: string) =>
  `FREEHOLD_MACHINES: ${name === "" ? "a cluster" : `"${name}"`}: ${error}`;

async function identify(
  credentials: NewKubernetesCluster["credentials"],
): Promise<IdentifiedCluster | string> {
  try {
    // The machine reports a certificate that has expired.
    return await identifyCluster(credentials, Number.NEGATIVE_INFINITY);
  } catch (error) {
    if (error instanceof KubeconfigError) return error.message;
    throw error;
  }
}
