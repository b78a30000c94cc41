// What a release changed from the one before it.

import type { Schema } from "../../api/client.ts";

type Release = Schema["Release"];

export interface Change {
  field: string;
  before: string;
  after: string;
}

/** Names of environment variables only: values may be secret. */
export function changesBetween(before: Release, after: Release): Change[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  const changes = (Object.keys(now) as (keyof typeof now)[])
    .filter((field) => old[field] !== now[field])
    .map((field) => ({ field, before: old[field] || "None", after: now[field] || "None" }));
  const names = [...new Set([...Object.keys(before.env), ...Object.keys(after.env)])].sort();
  const variables = names
    .filter((name) => before.env[name] !== after.env[name])
    .map((name) => ({
      field: `Variable ${name}`,
      before: name in before.env ? "Set" : "Not set",
      after: describeVariable(name, before, after),
    }));
  return [...changes, ...variables];
}

function describeVariable(name: string, before: Release, after: Release): string {
  if (!(name in after.env)) return "Removed";
  return name in before.env ? "Another value" : "Set";
}

const textsOf = ({ image, entrypoint, command, driver, networkVolumeIds, ...rest }: Release) => ({
  Image: image,
  Entrypoint: entrypoint.join(" "),
  Command: command.join(" "),
  Driver: driver ?? "",
  "Network volumes": networkVolumeIds.join(", "),
  Models: (rest.modelReferences ?? []).join(", "),
  "Registry credentials": rest.containerRegistryAuthId,
  "Container disk": rest.containerDiskInGb === undefined ? "" : `${rest.containerDiskInGb} GB`,
});
