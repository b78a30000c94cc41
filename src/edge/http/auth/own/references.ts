// What a request names besides its path, found by the names of fields. Pure.

import type { OwnedKind, Reference } from "../../../../flows/member/ownership.ts";

/** Fields of bodies, queries and GraphQL arguments that name a resource, in every interface. */
export const referenceFields: Readonly<Record<string, OwnedKind>> = {
  podId: "pod",
  podIds: "pod",
  sandboxId: "sandbox",
  workerId: "worker",
  endpointId: "endpoint",
  endpointIds: "endpoint",
  clusterId: "cluster",
  scheduleId: "schedule",
  batchId: "batch",
  jobId: "job",
  templateId: "template",
  networkVolumeId: "networkVolume",
  networkVolumeIds: "networkVolume",
  networkVolumes: "networkVolume",
  volumeId: "networkVolume",
  volumeIds: "networkVolume",
  containerRegistryAuthId: "registryAuth",
  registryAuthId: "registryAuth",
  registry: "registryAuth",
  secretId: "secret",
  sshKeyId: "sshKey",
  flashEnvironmentId: "flash",
  flashAppId: "flash",
  flashBuildId: "flash",
};

/** Fields with text of the caller's own, which names nothing. */
const opaqueFields = new Set(["env", "labels", "input", "items"]);

/** Each once, in lists and objects at any depth. */
export function referencesIn(value: unknown): Reference[] {
  const references = new Map<string, Reference>();
  collect(value, null, references);
  return [...references.values()];
}

function collect(value: unknown, kind: OwnedKind | null, references: Map<string, Reference>): void {
  if (typeof value === "string") {
    if (kind && value !== "") references.set(`${kind} ${value}`, { kind, id: value });
    return;
  }
  // Bytes that were not parsed name nothing.
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    for (const each of value) collect(each, kind, references);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (opaqueFields.has(name)) continue;
    const named = Object.hasOwn(referenceFields, name) ? referenceFields[name]! : null;
    collect(member, named, references);
  }
}
