// The claims of volumes. A Pod's own volume is of the default storage class; a network volume is of the class that the
// operator chose, and all Pods of its account that mount it, on any node, share its claim.

import { StartRefused, type VolumeMount, type VolumeName, type Workload } from "../driver.ts";
import { ApiError } from "./client/api-error.ts";
import type { KubernetesObject, ObjectList } from "./client/objects.ts";
import { type KubernetesCluster, unless } from "./cluster.ts";
import { claimName, LABEL, namespaceOf, type Owner, ownerLabels } from "./names.ts";
import { quantityOf } from "./pod/quantity.ts";

export interface NetworkVolumes {
  storageClass: string;
  access?: "ReadWriteMany" | "ReadWriteOnce";
}

/** Throws StartRefused for a network volume where the cluster offers none. */
export function claimObject(
  { account = "" }: Workload,
  volume: VolumeMount,
  owner: Owner,
  networkVolumes: NetworkVolumes | null,
) {
  const { [LABEL.installation]: installation, ...own } = ownerLabels(owner);
  const isOwn = volume.kind === "pod";
  if (!isOwn && networkVolumes === null) {
    throw new StartRefused("The cluster has no storage class for network volumes.");
  }
  const { storageClass, access = "ReadWriteMany" } = networkVolumes ?? {};
  return {
    metadata: {
      name: claimName(owner, volume),
      namespace: namespaceOf(owner, account),
      labels: { [LABEL.installation]: installation, ...(isOwn && own) },
    },
    spec: {
      accessModes: [isOwn ? "ReadWriteOnce" : access],
      ...(!isOwn && { storageClassName: storageClass }),
      resources: { requests: { storage: `${volume.sizeGb ?? 1}G` } },
    },
  };
}

interface Claim extends KubernetesObject {
  spec: { resources?: { requests?: { storage?: string } } };
}

const claimsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;

/** Creates a claim, or lets an existing one grow. Returns what prevents that, in a sentence, or null. */
export async function writeClaim(
  { client }: KubernetesCluster,
  claim: ReturnType<typeof claimObject>,
): Promise<string | null> {
  const { namespace, name } = claim.metadata;
  const path = claimsIn(namespace);
  if (await unless(client.create(path, claim), 409)) return null;
  const { items } = await client.get<ObjectList<Claim>>(path, {
    fieldSelector: `metadata.name=${name}`,
  });
  const { requests } = claim.spec.resources;
  const storage = items[0]?.spec.resources?.requests?.storage;
  if (storage === undefined || quantityOf(storage) >= quantityOf(requests.storage)) return null;
  try {
    await client.patch(`${path}/${name}`, { spec: { resources: { requests } } });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `The volume keeps its size of ${storage}, because Kubernetes refuses to expand it: ${error.message}`;
  }
}

/** The account of a volume is not known, so its claim is searched for in all namespaces. Kubernetes keeps a claim until no Pod uses it. */
export async function removeClaim(
  { client }: KubernetesCluster,
  owner: Owner,
  volume: VolumeName,
): Promise<void> {
  const fieldSelector = `metadata.name=${claimName(owner, volume)}`;
  const { items } = await client.get<ObjectList<KubernetesObject>>(
    "/api/v1/persistentvolumeclaims",
    { fieldSelector },
  );
  for (const { metadata } of items) {
    await unless(client.delete(`${claimsIn(metadata.namespace ?? "")}/${metadata.name}`), 404);
  }
}
