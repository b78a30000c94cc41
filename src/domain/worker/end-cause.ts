// Why a worker could not start, or did not last, where that is known for certain, and what to do
// about it. Pure.

export const endCauses = {
  image_not_found: "Mend the image's name or tag in the template, or push the image.",
  image_unauthorised:
    "Give the template or the Pod a container registry auth that may pull this image, or mend its name.",
  registry_away:
    "Nothing, if the registry comes back: the pull is tried again. Else see that this machine reaches it.",
  image_unusable: "Name an image in the template that is made for this machine.",
  entrypoint_not_found:
    "Mend dockerEntrypoint or dockerStartCmd in the template, or put the program into the image.",
  entrypoint_not_executable:
    "Make the program in the image executable, and build it for this machine's kind of processor.",
  no_way_back: "Set FREEHOLD_PUBLIC_URL to an address of this service that containers reach.",
  secret_missing: "Make the secret at /v1/secrets, or take it out of the variables.",
  disk_full: "Make room on the machine's disk; old images are the usual cause.",
  port_taken: "Free the port on this machine, or ask for another.",
  out_of_memory: "Give it more memory, or let it use less: a smaller model, batch or cache.",
} as const;

export type EndCause = keyof typeof endCauses;

/** What was kept of an earlier version, or of a driver that knows more than we, is no cause. */
export function asEndCause(text: string | null): EndCause | null {
  return text !== null && Object.hasOwn(endCauses, text) ? (text as EndCause) : null;
}
