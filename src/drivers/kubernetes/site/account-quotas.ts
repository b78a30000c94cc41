// The ResourceQuota of each account's namespace: what one account may use of the cluster, enforced by Kubernetes.

import { pause } from "../../../base/clock.ts";
import type { AccountQuota } from "../../../domain/machine/remote.ts";
import type { KubernetesObject, ObjectList } from "../client/objects.ts";
import { type KubernetesCluster, unless } from "../cluster.ts";
import { installationLabels, installationSelector } from "../names.ts";
import { GPU_RESOURCES } from "../pod/gpu-families.ts";

interface QuotaObject extends KubernetesObject {
  spec: { hard?: Record<string, string> };
  status?: { hard?: Record<string, string> };
}

type Hard = Record<string, string>;

const NAME = "freehold";
const COUNT_MS = 5_000;
const RETRY_MS = 50;

const quotasIn = (namespace: string) => `/api/v1/namespaces/${namespace}/resourcequotas`;

/** The limits as Kubernetes names them; empty without a quota. */
function hardLimitsOf(quota: AccountQuota): Hard {
  const { pods, vcpus, memoryGb, gpus, diskGb, storageGb } = quota;
  const limits: Hard = {};
  if (pods !== undefined) limits.pods = String(pods);
  if (vcpus !== undefined) limits["requests.cpu"] = String(vcpus);
  if (memoryGb !== undefined) limits["requests.memory"] = `${memoryGb}Gi`;
  if (diskGb !== undefined) limits["requests.ephemeral-storage"] = `${diskGb}G`;
  if (storageGb !== undefined) limits["requests.storage"] = `${storageGb}G`;
  if (gpus !== undefined)
    for (const resource of GPU_RESOURCES) limits[`requests.${resource}`] = String(gpus);
  return limits;
}

/** Limits a new namespace. Kubernetes enforces a quota once its controller has counted, so this waits for that. */
export async function limitNamespace(
  cluster: KubernetesCluster,
  namespace: string,
  quota: AccountQuota,
): Promise<void> {
  const { client, clock } = cluster;
  if (Object.keys(hardLimitsOf(quota)).length === 0) return;
  await unless(client.create(quotasIn(namespace), quotaObject(cluster, quota)), 409);
  for (const end = clock.ticks() + COUNT_MS; clock.ticks() < end; await pause(clock, RETRY_MS)) {
    const { items } = await client.get<ObjectList<QuotaObject>>(quotasIn(namespace));
    if (items.find(({ metadata }) => metadata.name === NAME)?.status?.hard) return;
  }
}

/** Makes the quotas of all namespaces equal to the setting, also where someone edited or deleted them. */
export async function limitNamespaces(
  cluster: KubernetesCluster,
  quota: AccountQuota,
): Promise<void> {
  const { client, installation } = cluster;
  const query = { labelSelector: installationSelector(installation) };
  const namespaces = await client.get<ObjectList<KubernetesObject>>("/api/v1/namespaces", query);
  const quotas = await client.get<ObjectList<QuotaObject>>("/api/v1/resourcequotas", query);
  const found = new Map(quotas.items.map((each) => [each.metadata.namespace, each]));
  for (const { metadata } of namespaces.items) {
    if (metadata.deletionTimestamp) continue;
    await replaceQuota(cluster, metadata.name, found.get(metadata.name), quota);
  }
}

async function replaceQuota(
  cluster: KubernetesCluster,
  namespace: string,
  found: QuotaObject | undefined,
  quota: AccountQuota,
): Promise<void> {
  const { client } = cluster;
  const wanted = hardLimitsOf(quota);
  const isWanted = Object.keys(wanted).length > 0;
  const path = quotasIn(namespace);
  if (!found) {
    if (isWanted) await unless(client.create(path, quotaObject(cluster, quota)), 404, 409);
    return;
  }
  if (!isWanted) {
    await unless(client.delete(`${path}/${NAME}`), 404);
  } else if (!isEqual(found.spec.hard ?? {}, wanted)) {
    // A merge patch keeps what it does not name.
    const others = Object.keys(found.spec.hard ?? {}).map((key): [string, null] => [key, null]);
    const hard = { ...Object.fromEntries(others), ...wanted };
    await unless(client.patch(`${path}/${NAME}`, { spec: { hard } }), 404);
  }
}

const quotaObject = ({ installation }: KubernetesCluster, quota: AccountQuota) => ({
  metadata: { name: NAME, labels: installationLabels({ installation }) },
  spec: { hard: hardLimitsOf(quota) },
});

const isEqual = (one: Hard, other: Hard) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);
