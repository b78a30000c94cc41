// Which Pods a list was asked for.

import type { Pod } from "../../contract/rest-v1/pod.ts";

export interface PodFilters {
  computeType?: "GPU" | "CPU";
  cpuFlavorId?: string[];
  dataCenterId?: string[];
  desiredStatus?: string;
  endpointId?: string;
  gpuTypeId?: string[];
  id?: string;
  imageName?: string;
  machineId?: string;
  name?: string;
  networkVolumeId?: string;
  templateId?: string;
}

export interface Listed {
  pod: Pod;
  dataCenterId: string | null;
}

const equal = [
  ...["desiredStatus", "endpointId", "id", "imageName", "machineId", "name"],
  ...["networkVolumeId", "templateId"],
];

/** A Pod must pass every filter that is there; of a list it must match one. */
export function podFilter(filters: PodFilters): (listed: Listed) => boolean {
  const asked = equal.filter((name) => filters[name as keyof PodFilters] !== undefined);
  const among = (list: string[] | undefined, has: string | null | undefined) =>
    list === undefined || (typeof has === "string" && list.includes(has));
  return ({ pod, dataCenterId }) => {
    const { computeType } = filters;
    const onCpu = pod.gpuCount === 0;
    return (
      asked.every((name) => pod[name as keyof Pod] === filters[name as keyof PodFilters]) &&
      (computeType === undefined || onCpu === (computeType === "CPU")) &&
      among(filters.gpuTypeId, pod.gpuTypeId) &&
      among(filters.cpuFlavorId, pod.cpuFlavorId) &&
      among(filters.dataCenterId, dataCenterId)
    );
  };
}
