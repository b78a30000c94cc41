// The Secrets of a workload: its environment variables, and the credentials for its image. They belong to its Pod, so
// that Kubernetes removes them with it, however it is deleted.

import { serverAddressOf } from "../docker/image/image-name.ts";
import type { Workload } from "../driver.ts";
import type { Cluster } from "./cluster.ts";
import { unless } from "./cluster.ts";
import { namespaceOf, type Owner, ownerLabels, podName } from "./names.ts";

export const environmentSecretName = (pod: string) => pod;
export const pullSecretName = (pod: string) => `${pod}-pull`;

interface Secret {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  type?: string;
  stringData: Record<string, string>;
}

export function secretsOf(workload: Workload, owner: Owner): Secret[] {
  const { id, account = "", env, image, auth } = workload;
  const pod = podName(owner, id);
  const metadata = { namespace: namespaceOf(owner, account), labels: ownerLabels(owner) };
  // Those who may only list Pods do not read the variables.
  const environment = {
    metadata: { name: environmentSecretName(pod), ...metadata },
    stringData: env,
  };
  if (!auth) return [environment];
  const credentials = {
    ...auth,
    auth: Buffer.from(`${auth.username}:${auth.password}`).toString("base64"),
  };
  const config = { auths: { [serverAddressOf(image)]: credentials } };
  const pull = {
    metadata: { name: pullSecretName(pod), ...metadata },
    type: "kubernetes.io/dockerconfigjson",
    stringData: { ".dockerconfigjson": JSON.stringify(config) },
  };
  return [environment, pull];
}

/** Replaces what an earlier attempt left. */
export async function writeSecrets(
  { client }: Cluster,
  secrets: readonly Secret[],
  pod: { name: string; uid: string },
): Promise<void> {
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid }];
  for (const { metadata, ...secret } of secrets) {
    const owned = { ...secret, metadata: { ...metadata, ownerReferences } };
    const path = `/api/v1/namespaces/${metadata.namespace}/secrets`;
    if (await unless(client.create(path, owned), 409)) continue;
    const { stringData } = secret;
    const patch = { metadata: { ownerReferences }, data: null, stringData };
    await client.patch(`${path}/${metadata.name}`, patch);
  }
}

/** A new Pod of the same name may not find those of its predecessor, which Kubernetes removes later. */
export async function removeSecrets(
  { client }: Cluster,
  { namespace, name }: { namespace: string; name: string },
): Promise<void> {
  for (const secret of [environmentSecretName(name), pullSecretName(name)]) {
    await unless(client.delete(`/api/v1/namespaces/${namespace}/secrets/${secret}`), 404);
  }
}
