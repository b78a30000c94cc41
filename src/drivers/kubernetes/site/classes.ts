// Whether a cluster has the classes that its settings name.

import type { ClusterOffer } from "../../../domain/machine/remote.ts";
import type { ApiClient } from "../client/api-client.ts";
import { ApiError } from "../client/api-error.ts";
import type { KubernetesObject, ObjectList } from "../client/objects.ts";

/** The sentence about the first class that the cluster does not have; null if it has all. */
export async function missingClass(
  client: ApiClient,
  { networkVolumes, priorityClasses = {}, gpuRuntimeClass }: ClusterOffer,
): Promise<string | null> {
  const podSpecs = [
    ...Object.values(priorityClasses).map((priorityClassName) => ({ priorityClassName })),
    ...(gpuRuntimeClass === undefined ? [] : [{ runtimeClassName: gpuRuntimeClass }]),
  ];
  for (const podSpec of podSpecs) {
    const trouble = await refusedClass(client, podSpec);
    if (trouble !== null) return trouble;
  }
  return networkVolumes ? missingStorageClass(client, networkVolumes.storageClass) : null;
}

async function missingStorageClass(client: ApiClient, wanted: string): Promise<string | null> {
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const { items } = await client.get<ObjectList<KubernetesObject>>(path);
  const names = items.map(({ metadata }) => metadata.name);
  if (names.includes(wanted)) return null;
  return `The cluster has no storage class ${JSON.stringify(wanted)}; it has: ${names.join(", ") || "none"}.`;
}

/** The words of the API server's admission for each. */
const MISSING = /no PriorityClass with name \S+ was found|RuntimeClass "[^"]*" not found/;

/** Tried by a Pod that is not created, which takes no permission to read classes. Its other refusals say nothing of them. */
async function refusedClass(client: ApiClient, spec: object): Promise<string | null> {
  const pod = {
    metadata: { generateName: "freehold-check-" },
    spec: { ...spec, containers: [{ name: "main", image: "freehold-check" }] },
  };
  try {
    await client.create("/api/v1/namespaces/default/pods?dryRun=All", pod);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [words] = MISSING.exec(error.message) ?? [];
    return words === undefined ? null : `The cluster refuses its settings: ${words}.`;
  }
}
