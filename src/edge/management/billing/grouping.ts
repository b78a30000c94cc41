// What a bill is grouped by, as requests name it, and the fields of a record that say which group it is.

import type { Grouping, SpendRecord } from "../../../flows/billing/history.ts";

const LABEL = "label:";

const fields: Record<string, Grouping> = {
  podId: "resourceId",
  networkVolumeId: "resourceId",
  endpointId: "endpointId",
  gpuTypeId: "gpuTypeId",
  createdBy: "ownerId",
};

export function groupingOf(text: string): Grouping {
  if (text.startsWith(LABEL)) return { label: text.slice(LABEL.length) };
  return fields[text] ?? "none";
}

export type NamesOf = (memberId: string) => string | undefined;

/** The fields that name the group of a record. */
export function groupFields(text: string, { group }: Pick<SpendRecord, "group">, nameOf: NamesOf) {
  if (text.startsWith(LABEL)) return { label: group };
  if (text !== "createdBy") return { [text]: group ?? "" };
  return { memberId: group, memberName: group === null ? null : (nameOf(group) ?? null) };
}
