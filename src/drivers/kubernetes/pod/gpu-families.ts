// How clusters name the GPUs of each maker. The labels are those of NVIDIA's GPU feature discovery and of AMD's node
// labeller. Pure.

import { profileOfNumber, sliceNumbers } from "../../../domain/machine/cluster-slices.ts";
import { quantityOf } from "./quantity.ts";

type Labels = Record<string, string>;

export interface GpuFamily {
  /** What a node offers and a container requests. It is also the key of the taint on such nodes. */
  resource: string;
  /** The other resources that its device plugin offers in place of it: shared GPUs, and parts of GPUs. Those of MIG are offered. */
  partial: RegExp;
  /** The labels with the name of a node's GPUs; the first that is present counts. */
  productLabels: readonly string[];
  /** What sets these labels. */
  labeller: string;
  /** What stands for a space in that name. */
  space: string;
  /** The memory of one GPU; 0 if no label says it. */
  memoryMbIn(labels: Labels): number;
}

const nvidia: GpuFamily = {
  resource: "nvidia.com/gpu",
  partial: /^nvidia\.com\/(gpu\.|mig-)/,
  productLabels: ["nvidia.com/gpu.product"],
  labeller: "GPU feature discovery",
  space: "-",
  memoryMbIn: (labels) => quantityOf(labels["nvidia.com/gpu.memory"]),
};

const AMD_VRAM = ["amd.com/gpu.vram", "beta.amd.com/gpu.vram"];

const amd: GpuFamily = {
  resource: "amd.com/gpu",
  partial: /^amd\.com\/(?!gpu$)/,
  productLabels: ["amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"],
  labeller: "AMD's node labeller",
  space: "_",
  /** `192G` means GiB. */
  memoryMbIn(labels) {
    const text = AMD_VRAM.map((name) => labels[name]).find(Boolean);
    return Number(/^(\d+)G$/.exec(text ?? "")?.[1] ?? 0) * 1_024;
  },
};

export const GPU_FAMILIES = [nvidia, amd] as const;

const MIG = "nvidia.com/mig-";

/** The profile of a resource of MIG devices as it names it; null for another resource. */
export function migProfileOf(resource: string): string | null {
  const profile = resource.startsWith(MIG) ? resource.slice(MIG.length) : "";
  return sliceNumbers(profile, 0) === null ? null : profile;
}

/** What a container with a GPU of this number requests; `whole` is what one with a whole GPU does. */
export function gpuResourceOf(index: number, whole: string): string {
  const profile = profileOfNumber(index);
  return profile === null ? whole : `${MIG}${profile}`;
}

export const GPU_RESOURCES: readonly string[] = GPU_FAMILIES.map(({ resource }) => resource);
