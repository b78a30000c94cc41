// Creates the Pod of a workload with all that it needs. The Pod comes first: a scheduling gate keeps it off its node until
// the rest exists, which is written side by side. A crash in between leaves a Pod that the next start completes.

import { MINUTE_MS } from "../../base/units.ts";
import type { AccountQuota } from "../../domain/machine/remote.ts";
import { StartRefused, type StartReporter, type Workload } from "../driver.ts";
import { claimObject, type NetworkVolumes, writeClaim } from "./claims.ts";
import { ApiError } from "./client/api-error.ts";
import type { KubernetesObject } from "./client/objects.ts";
import { type KubernetesCluster, unless } from "./cluster.ts";
import { createPod } from "./create-pod.ts";
import { ANNOTATION, type Owner } from "./names.ts";
import {
  balancerAddress,
  policiesIn,
  removeOwned,
  writeFiles,
  writePublicPorts,
  writeSecrets,
} from "./owned-objects.ts";
import { type KubernetesPodFiles, podFilesOf } from "./pod/pod-files.ts";
import { isolationPolicy, namespaceObject, podObject, type TargetNode } from "./pod/pod-object.ts";
import { type PublicPortsBy, publicPortObjects } from "./public-ports.ts";
import { limitNamespace } from "./site/account-quotas.ts";
import { secretsOf } from "./workload-secrets.ts";

/** What is given to the Pods of a node. */
export interface NodeScope {
  cluster: KubernetesCluster;
  owner: Owner;
  publicPorts: PublicPortsBy;
  /** Null if the cluster offers none. */
  networkVolumes: NetworkVolumes | null;
  accountQuota: AccountQuota;
}

const BALANCER_MS = 5 * MINUTE_MS;

/** A workload, its Pod and the files that the Pod mounts. */
export interface PreparedWorkload {
  workload: Workload;
  pod: ReturnType<typeof podObject>;
  files: KubernetesPodFiles | null;
}

/** Throws StartRefused for what this driver cannot run. */
export function prepareWorkload(
  workload: Workload,
  owner: Owner,
  node: TargetNode,
): PreparedWorkload {
  const files = podFilesOf(workload, owner);
  return { workload, pod: podObject(workload, owner, node, files), files };
}

export async function createWorkload(
  scope: NodeScope,
  { workload, pod, files }: PreparedWorkload,
  report: StartReporter,
  signal: AbortSignal,
): Promise<void> {
  const { cluster } = scope;
  const { namespace, name } = pod.metadata;
  const claims = (workload.volumes ?? []).map((volume) =>
    claimObject(workload, volume, scope.owner, scope.networkVolumes),
  );
  const created =
    (await createFirst(scope, pod)) ?? (await incompletePod(cluster, namespace, name));
  if (!created) return;
  const { uid } = created.metadata;
  const write = new PodObjects(scope, workload, { namespace, name, uid }, files);
  try {
    await write.all(claims, report);
    await write.open(signal);
  } catch (error) {
    const isRefusal = error instanceof ApiError || error instanceof StartRefused;
    // What refuses the objects may refuse the removal too; the next start completes the Pod.
    if (isRefusal) await unlessRefused(removeIncomplete(cluster, { namespace, name, uid }));
    throw error;
  }
}

/** Null if there is a Pod of this name. An account's first Pod in the cluster finds no namespace. */
async function createFirst(scope: NodeScope, pod: ReturnType<typeof podObject>) {
  const { cluster, owner, accountQuota } = scope;
  const { namespace } = pod.metadata;
  try {
    return await createPod(cluster, namespace, pod);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const object = namespaceObject(namespace, owner);
    await unless(cluster.client.create("/api/v1/namespaces", object), 409);
    await limitNamespace(cluster, namespace, accountQuota);
    return createPod(cluster, namespace, pod);
  }
}

/** Null if an earlier attempt has completed it. */
async function incompletePod({ client }: KubernetesCluster, namespace: string, name: string) {
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

/** What a created Pod waits for. */
class PodObjects {
  readonly #scope: NodeScope;
  readonly #workload: Workload;
  readonly #pod: CreatedPod;
  readonly #ports: ReturnType<typeof publicPortObjects>;
  readonly #files: KubernetesPodFiles | null;

  constructor(
    scope: NodeScope,
    workload: Workload,
    pod: CreatedPod,
    files: KubernetesPodFiles | null,
  ) {
    this.#scope = scope;
    this.#workload = workload;
    this.#pod = pod;
    this.#ports = publicPortObjects(workload, scope.owner, scope.publicPorts);
    this.#files = files;
  }

  /** Rejects with the first refusal once nothing is being written any more. */
  async all(claims: ReturnType<typeof claimObject>[], report: StartReporter): Promise<void> {
    const { cluster, owner } = this.#scope;
    const writes = [
      unless(cluster.client.create(policiesIn(this.#pod.namespace), isolationPolicy), 409),
      writeSecrets(cluster, secretsOf(this.#workload, owner), this.#pod),
      ...claims.map(async (claim) => {
        const trouble = await writeClaim(cluster, claim);
        if (trouble !== null) report(trouble);
      }),
      ...(this.#files ? [writeFiles(cluster, this.#files)] : []),
      ...(this.#ports ? [writePublicPorts(cluster, this.#ports, this.#pod)] : []),
    ];
    const results = await Promise.allSettled(writes);
    const failed = results.find(({ status }) => status === "rejected");
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  /** Lets Kubernetes place it. */
  async open(signal: AbortSignal): Promise<void> {
    const { cluster, publicPorts } = this.#scope;
    const { namespace, name } = this.#pod;
    const needsAddress = this.#ports !== null && publicPorts === "LoadBalancer";
    const address = needsAddress ? await addressOf(cluster, this.#pod, signal) : null;
    await cluster.client.patch(`/api/v1/namespaces/${namespace}/pods/${name}`, {
      ...(address !== null && { metadata: { annotations: { [ANNOTATION.publicIp]: address } } }),
      spec: { schedulingGates: null },
    });
  }
}

/** A start that is aborted meanwhile goes on without one, and is ended by its caller. */
async function addressOf(cluster: KubernetesCluster, pod: CreatedPod, signal: AbortSignal) {
  const address = await balancerAddress(cluster, pod, BALANCER_MS, signal);
  if (address !== null || signal.aborted) return address;
  const minutes = BALANCER_MS / MINUTE_MS;
  throw new StartRefused(
    `The cluster gave the Pod no load balancer within ${minutes} minutes.`,
    "no_room",
  );
}

async function unlessRefused(removal: Promise<void>): Promise<void> {
  await removal.catch((error) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

async function removeIncomplete(cluster: KubernetesCluster, { namespace, name, uid }: CreatedPod) {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  await unless(cluster.client.patch(path, { metadata: { finalizers: null } }), 404);
  await unless(cluster.client.delete(path, { preconditions: { uid } }), 404, 409);
  await removeOwned(cluster, { namespace, name });
}
