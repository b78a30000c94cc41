// Creates the Pod of a workload with all that it needs. A scheduling gate keeps the Pod off its node until the objects that
// it owns exist, so a crash in between leaves a Pod that the next start completes.

import { StartRefused, type StartReporter, type Workload } from "../driver.ts";
import { claimObject, type NetworkVolumes, writeClaim } from "./claims.ts";
import { ApiError } from "./client/api-error.ts";
import type { KubernetesObject } from "./client/objects.ts";
import { type Cluster, unless } from "./cluster.ts";
import { createPod } from "./create-pod.ts";
import { ANNOTATION, type Owner } from "./names.ts";
import {
  balancerAddress,
  policiesIn,
  removeOwned,
  writePublicPorts,
  writeSecrets,
} from "./owned-objects.ts";
import { isolationPolicy, namespaceObject, type podObject } from "./pod-object.ts";
import { type PublicPortsBy, publicPortObjects } from "./public-ports.ts";
import { secretsOf } from "./workload-secrets.ts";

/** What is given to the Pods of a node. */
export interface NodeScope {
  cluster: Cluster;
  owner: Owner;
  publicPorts: PublicPortsBy;
  /** Null if the cluster offers none. */
  networkVolumes: NetworkVolumes | null;
}

const BALANCER_MS = 5 * 60_000;

export async function createWorkload(
  scope: NodeScope,
  workload: Workload,
  pod: ReturnType<typeof podObject>,
  report: StartReporter,
  signal: AbortSignal,
): Promise<void> {
  const { cluster } = scope;
  const { namespace, name } = pod.metadata;
  const claims = (workload.volumes ?? []).map((volume) =>
    claimObject(workload, volume, scope.owner, scope.networkVolumes),
  );
  await prepareNamespace(scope, namespace);
  for (const claim of claims) {
    const trouble = await writeClaim(cluster, claim);
    if (trouble !== null) report(trouble);
  }
  const created =
    (await createPod(cluster, namespace, pod)) ?? (await incompletePod(cluster, namespace, name));
  if (!created) return;
  const { uid } = created.metadata;
  try {
    await complete(scope, workload, { namespace, name, uid }, signal);
  } catch (error) {
    const isRefusal = error instanceof ApiError || error instanceof StartRefused;
    if (isRefusal) await removeIncomplete(cluster, { namespace, name, uid });
    throw error;
  }
}

async function prepareNamespace({ cluster: { client }, owner }: NodeScope, name: string) {
  await unless(client.create("/api/v1/namespaces", namespaceObject(name, owner)), 409);
  await unless(client.create(policiesIn(name), isolationPolicy), 409);
}

/** Null if an earlier attempt has completed it. */
async function incompletePod({ client }: Cluster, namespace: string, name: string) {
  const pod = await client.get<GatedPod>(`/api/v1/namespaces/${namespace}/pods/${name}`);
  return pod.spec.schedulingGates ? pod : null;
}

interface GatedPod extends KubernetesObject {
  spec: { schedulingGates?: unknown[] };
}

interface CreatedPod {
  namespace: string;
  name: string;
  uid: string;
}

async function complete(
  scope: NodeScope,
  workload: Workload,
  pod: CreatedPod,
  signal: AbortSignal,
) {
  const { cluster, owner, publicPorts } = scope;
  await writeSecrets(cluster, secretsOf(workload, owner), pod);
  const ports = publicPortObjects(workload, owner, publicPorts);
  if (ports) await writePublicPorts(cluster, ports, pod);
  const needsAddress = ports !== null && publicPorts === "LoadBalancer";
  const address = needsAddress ? await addressOf(cluster, pod, signal) : null;
  await cluster.client.patch(`/api/v1/namespaces/${pod.namespace}/pods/${pod.name}`, {
    ...(address !== null && { metadata: { annotations: { [ANNOTATION.publicIp]: address } } }),
    spec: { schedulingGates: null },
  });
}

/** A start that is aborted meanwhile goes on without one, and is ended by its caller. */
async function addressOf(cluster: Cluster, pod: CreatedPod, signal: AbortSignal) {
  const address = await balancerAddress(cluster, pod, BALANCER_MS, signal);
  if (address !== null || signal.aborted) return address;
  const minutes = BALANCER_MS / 60_000;
  throw new StartRefused(
    `The cluster gave the Pod no load balancer within ${minutes} minutes.`,
    "no_room",
  );
}

async function removeIncomplete(cluster: Cluster, { namespace, name, uid }: CreatedPod) {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  await unless(cluster.client.patch(path, { metadata: { finalizers: null } }), 404);
  await unless(cluster.client.delete(path, { preconditions: { uid } }), 404, 409);
  await removeOwned(cluster, { namespace, name });
}
