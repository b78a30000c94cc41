// The body of a new cluster of REST v2 as a request to the flow.

import type { ClusterCreate } from "../../../contract/rest-v2/cluster/cluster.ts";
import type { Creator } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { NewCluster } from "../../../flows/cluster/create.ts";
import { newPodFrom } from "../pod/pod-request.ts";

/** What a template says in their place. */
const ofTemplate = [
  "image",
  "args",
  "entrypoint",
  "cmd",
  "disk",
  "env",
  "ports",
  "mounts",
] as (keyof ClusterCreate)[];

export function newClusterFrom(body: ClusterCreate): Omit<NewCluster, keyof Creator | "once"> {
  const { type, compute, ...container } = body;
  if (type === "SLURM" || type === "RAY") {
    const detail = `Clusters of the type ${type} are not offered; "type" is TRAINING or APPLICATION.`;
    throw new Fault("not_offered", { detail });
  }
  requireOneSource(body);
  const { gpuTypeId: id, gpuCountPerPod: count, podCount } = compute;
  const pod = newPodFrom({ ...container, gpu: { id, count } });
  const { name, labels, request, services } = pod;
  return {
    name,
    type,
    podCount,
    request: { ...request, cloudType: "ALL" },
    services: services!,
    ...(labels && { labels }),
  };
}

function requireOneSource(body: ClusterCreate): void {
  const { templateId, image } = body;
  if (templateId === undefined) {
    if (image !== undefined) return;
    const detail = 'Send "image" or "templateId".';
    throw new Fault("invalid_body", { detail });
  }
  const both = ofTemplate.filter((field) => body[field] !== undefined);
  if (both.length === 0) return;
  const detail = `"templateId" sets ${both.join(", ")}; leave them out of the body.`;
  throw new Fault("invalid_body", { detail });
}
