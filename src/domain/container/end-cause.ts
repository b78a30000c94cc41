// The certain causes of a failed start or an early end, each with its fix. Pure.

export const endCauses = {
  image_not_found: "Fix the image's name or tag in the template, or push the image.",
  image_unauthorised:
    "Set a container registry auth that may pull this image on the template or the Pod, or fix its name.",
  registry_away:
    "Wait if the registry is down: the pull is retried. Otherwise check that this machine can reach it.",
  registry_refused:
    "Push the image to a registry with a public address, or ask the operator to allow this registry.",
  image_unusable: "Use an image that is built for this machine's CPU architecture.",
  entrypoint_not_found:
    "Add the program to the image, or start another one with dockerEntrypoint or dockerStartCmd.",
  entrypoint_not_executable:
    "Make the program in the image executable, and build it for this machine's CPU architecture.",
  no_way_back: "Set FREEHOLD_PUBLIC_URL to an address of this service that containers can reach.",
  secret_missing: "Create the secret at /v1/secrets, or remove it from the variables.",
  model_not_found: "Fix the owner, the name or the revision of the model in the endpoint.",
  model_unauthorised:
    "Put a token that may read the model into the variable HF_TOKEN of the template, best as a secret.",
  model_away:
    "Wait if the source of models is down: the download is retried. Otherwise check FREEHOLD_MODEL_SOURCE.",
  model_too_large:
    "Raise FREEHOLD_MODEL_CACHE on the machine, or wait until the models of other workers are not needed.",
  disk_full: "Free space on the machine's disk; old images are the usual cause.",
  no_room: "Wait until other workloads on the machine end, or stop the Pod and create another.",
  no_address_range:
    "Remove networks that nothing uses from this machine's engine (docker network prune), or give it more ranges in default-address-pools of its daemon.json.",
  cluster_permission:
    "Ask the cluster's operator to give Freehold's user the permission that the message names.",
  cluster_policy:
    "Ask the cluster's operator: a policy of the cluster refuses the Pod, and the message has its words.",
  cluster_trouble:
    "Ask the cluster's operator if it lasts: the start is tried again, and the message has Kubernetes' words.",
  port_taken: "Free the port on this machine, or request another.",
  out_of_memory: "Give it more memory, or reduce its use: a smaller model, batch or cache.",
} as const;

export type EndCause = keyof typeof endCauses;

/** Null for an unknown cause, such as one of another version of Freehold. */
export function asEndCause(text: string | null): EndCause | null {
  return text !== null && Object.hasOwn(endCauses, text) ? (text as EndCause) : null;
}
