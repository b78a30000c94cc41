// What the operator of a cluster should correct, in sentences.

import type { Catalog } from "../../../domain/catalog/catalog.ts";
import type { ApiClient } from "../client/api-client.ts";
import type { KubernetesObject, ObjectList } from "../client/objects.ts";
import { gpuTypeNamed, type NodeView } from "./node-view.ts";
import { missingPermissions } from "./permissions.ts";

const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

export async function clusterNotices(client: ApiClient): Promise<string[]> {
  const missing = await missingPermissions(client);
  const mayList = !missing.includes("list storageclasses");
  const hasDefault = !mayList || (await hasDefaultStorageClass(client));
  return [
    ...(missing.length > 0 ? [missingSentence(missing)] : []),
    ...(hasDefault
      ? []
      : ["The cluster has no default storage class, so Pods with a volume cannot start."]),
  ];
}

export const missingSentence = (missing: readonly string[]) =>
  `The cluster's user may not do this in all namespaces: ${missing.join(", ")}.`;

async function hasDefaultStorageClass(client: ApiClient): Promise<boolean> {
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const { items } = await client.get<ObjectList<KubernetesObject>>(path);
  return items.some(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === "true");
}

/** Why GPUs of a node are not offered; null if all are, or there are none. Pure. */
export function gpuNotice(catalog: Catalog, node: NodeView): string | null {
  const { gpuFamily, gpuProduct, migDevices } = node;
  const gpus = migDevices.reduce((sum, { count }) => sum + count, node.allocatable.gpus);
  const [label] = gpuFamily.productLabels;
  const partial = partialNotice(node);
  if (partial !== null) return partial;
  if (gpuProduct === null) {
    if (gpus === 0) return null;
    return `It has ${gpus} GPUs and no label ${label}: install ${gpuFamily.labeller}.`;
  }
  if (gpus === 0) {
    return `Its label ${label} is ${gpuProduct}, and it offers no ${gpuFamily.resource}: check its device plugin.`;
  }
  if (gpuTypeNamed(catalog, node, gpuProduct)) return null;
  return `Its GPUs are ${gpuProduct}, which is not the name of a GPU type.`;
}

/** Shared GPUs and parts of GPUs are offered under names of their own, or under the name of whole ones with another label. */
function partialNotice({ partialGpus, sharingFix, gpuFamily }: NodeView): string | null {
  const offers = partialGpus.length > 0 ? ` It offers ${partialGpus.join(", ")}.` : "";
  const whole = `Freehold offers whole GPUs, as ${gpuFamily.resource}`;
  if (sharingFix !== null) {
    return `Its GPUs are shared between Pods.${offers} ${whole}: ${sharingFix}.`;
  }
  if (partialGpus.length === 0) return null;
  return `Its GPUs are partitioned.${offers} ${whole}: change the configuration of its device plugin.`;
}

/**
 * Which GPUs of a node are unhealthy; null for none. While its device plugin restarts, none can be allocated: that says
 * nothing of their health, unless it was reported of one that a Pod has.
 */
export function unhealthyText(
  { registeredGpus: { count, unhealthy } }: Pick<NodeView, "registeredGpus">,
  reported: readonly string[],
): string | null {
  if (unhealthy === 0 || (unhealthy === count && reported.length === 0)) return null;
  const are = unhealthy === 1 ? "is" : "are";
  const names = reported.length === 0 ? "" : `, among them ${reported.join(", ")}`;
  return `its device plugin reports that ${unhealthy} of ${count} GPUs ${are} unhealthy${names}`;
}
