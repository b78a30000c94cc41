// The objects that a Pod owns: Secrets, and the Service and the policy of its public ports. Kubernetes removes them with
// the Pod, however it is deleted. They are written once the Pod has a uid. The Secret of its files is shared.

import { pause } from "../../base/clock.ts";
import { StartRefused } from "../driver.ts";
import { ApiError } from "./client/api-error.ts";
import type { KubernetesObject } from "./client/objects.ts";
import { WatchCache } from "./client/watch-cache.ts";
import { type KubernetesCluster, unless } from "./cluster.ts";
import { LABEL } from "./names.ts";
import type { KubernetesPodFiles } from "./pod/pod-files.ts";
import type { publicPortObjects } from "./public-ports.ts";
import { pullSecretName, type secretsOf } from "./workload-secrets.ts";

interface Named {
  namespace: string;
  name: string;
}

interface Owning extends Named {
  uid: string;
}

const secretsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/secrets`;
const servicesIn = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
export const policiesIn = (namespace: string) =>
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;

const ownedBy = ({ name, uid }: Owning) => [{ apiVersion: "v1", kind: "Pod", name, uid }];

/** Replaces what an earlier attempt left. */
export async function writeSecrets(
  { client }: KubernetesCluster,
  secrets: ReturnType<typeof secretsOf>,
  pod: Owning,
): Promise<void> {
  const ownerReferences = ownedBy(pod);
  for (const { metadata, ...secret } of secrets) {
    const path = secretsIn(pod.namespace);
    const owned = { ...secret, metadata: { ...metadata, ownerReferences } };
    if (await unless(client.create(path, owned), 409)) continue;
    const { stringData } = secret;
    const patch = { metadata: { ownerReferences }, data: null, stringData };
    await client.patch(`${path}/${metadata.name}`, patch);
  }
}

/** Creates the Secret of a Pod's files unless the namespace has it. It is no Pod's own. */
export async function writeFiles(
  { client }: KubernetesCluster,
  { secret }: KubernetesPodFiles,
): Promise<void> {
  const { name, namespace, labels } = secret.metadata;
  const path = secretsIn(namespace);
  // Sends the content only where it is missing.
  if (await unless(client.patch(`${path}/${name}`, { metadata: { labels } }), 404)) return;
  await unless(client.create(path, secret), 409);
}

/** Rejects with StartRefused if the cluster does not give it one of its ports. */
export async function writePublicPorts(
  { client }: KubernetesCluster,
  objects: NonNullable<ReturnType<typeof publicPortObjects>>,
  pod: Owning,
): Promise<void> {
  const ownerReferences = ownedBy(pod);
  for (const [path, object] of [
    [servicesIn(pod.namespace), objects.service],
    [policiesIn(pod.namespace), objects.policy],
  ] as const) {
    const owned = { ...object, metadata: { ...object.metadata, ownerReferences } };
    const create = () => client.create(path, owned).catch(refusePort);
    if (await unless(create(), 409)) continue;
    await unless(client.delete(`${path}/${pod.name}`), 404);
    await create();
  }
}

/** A port that is in use can be replaced by another, unlike a range that the cluster does not have. */
function refusePort(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 422) throw error;
  const [, port = ""] = /Invalid value: (\d+)/.exec(error.message) ?? [];
  if (/already allocated/.test(error.message)) {
    const text = `The node port ${port} of the cluster is in use.`;
    throw new StartRefused(text, "port_taken", `:${port}`);
  }
  if (/valid range/.test(error.message)) {
    const text = `The cluster has no node port ${port}: its operator must set "nodePorts" to its range.`;
    throw new StartRefused(text, null, error.message);
  }
  throw error;
}

interface ServiceObject extends KubernetesObject {
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

/** The address that a load balancer gave to a Service; null if none came, or the wait was aborted. */
export async function balancerAddress(
  { client, clock }: KubernetesCluster,
  pod: Named,
  limitMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const cache = new WatchCache<ServiceObject, string | null>({
    client,
    clock,
    path: servicesIn(pod.namespace),
    labelSelector: `${LABEL.pod}=${pod.name}`,
    select: ({ status }) => {
      const [ingress] = status?.loadBalancer?.ingress ?? [];
      return ingress?.ip ?? ingress?.hostname ?? null;
    },
  });
  const found = new AbortController();
  const address = () => cache.get(`${pod.namespace}/${pod.name}`) ?? null;
  try {
    cache.onChange(() => address() !== null && found.abort());
    await pause(clock, limitMs, AbortSignal.any([signal, found.signal]));
    return address();
  } finally {
    found.abort();
    await cache.close();
  }
}

/** A new Pod of the same name may not find those of its predecessor, which Kubernetes removes later. */
export async function removeOwned(
  { client }: KubernetesCluster,
  { namespace, name }: Named,
): Promise<void> {
  const paths = [
    `${secretsIn(namespace)}/${name}`,
    `${secretsIn(namespace)}/${pullSecretName(name)}`,
    `${servicesIn(namespace)}/${name}`,
    `${policiesIn(namespace)}/${name}`,
  ];
  await Promise.all(paths.map((path) => unless(client.delete(path), 404)));
}
