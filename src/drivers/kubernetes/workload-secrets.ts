// The Secrets of a workload: its environment variables, and the credentials for its image. Pure.

import { serverAddressOf } from "../docker/image/image-name.ts";
import type { Workload } from "../driver.ts";
import { namespaceOf, type Owner, ownerLabels, podName } from "./names.ts";

export const pullSecretName = (pod: string) => `${pod}-pull`;

export interface WorkloadSecret {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  type?: string;
  stringData: Record<string, string>;
}

export function secretsOf(workload: Workload, owner: Owner): WorkloadSecret[] {
  const { id, account = "", env, image, auth } = workload;
  const pod = podName(owner, id);
  const metadata = { namespace: namespaceOf(owner, account), labels: ownerLabels(owner) };
  // A caller that may only list Pods does not read the variables.
  const environment = {
    metadata: { name: pod, ...metadata },
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
