// The filters of the list of Pods.

import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import { hasLabels, noLabels } from "../../../domain/label/labels.ts";
import { labelFilterOf } from "../../management/serve/labels.ts";

/** Fields of a Pod that a filter compares. */
const equalityFilters = [
  "cpuFlavorId",
  "desiredStatus",
  "endpointId",
  "gpuTypeId",
  "id",
  "imageName",
  "machineId",
  "name",
  "networkVolumeId",
  "templateId",
] as const;

export type PodFilters = {
  computeType?: "GPU" | "CPU";
  ownerId?: string | null;
  labels?: string[];
} & {
  [Name in (typeof equalityFilters)[number] | "dataCenterId"]?: string[];
};

export interface FilteredPod {
  pod: Pod;
  dataCenterId: string | null;
}

/** A Pod must pass every filter; a filter passes if one of its values matches. */
export function podFilter(filters: PodFilters): (filtered: FilteredPod) => boolean {
  const { computeType, ownerId = null } = filters;
  const labels = labelFilterOf(filters);
  const used = equalityFilters.filter((name) => filters[name] !== undefined);
  const isAmong = (list: string[] | undefined, value: string | null | undefined) =>
    list === undefined || (typeof value === "string" && list.includes(value));
  return ({ pod, dataCenterId }) => {
    const onCpu = pod.gpuCount === 0;
    return (
      used.every((name) => isAmong(filters[name], pod[name])) &&
      (ownerId === null || pod.createdBy?.id === ownerId) &&
      (computeType === undefined || onCpu === (computeType === "CPU")) &&
      hasLabels(pod.labels ?? noLabels, labels) &&
      isAmong(filters.dataCenterId, dataCenterId)
    );
  };
}
