// What is kept of a node: what it can run, and whether it takes anything new. Pure.

import { MB_PER_GB, MIB } from "../../../base/units.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { parseSliceType, sliceTypeId } from "../../../domain/catalog/slice-name.ts";
import { driverProfile, sliceNumbers } from "../../../domain/machine/cluster-slices.ts";
import type { Hardware } from "../../../domain/machine/inventory.ts";
import type { KubernetesObject } from "../client/objects.ts";
import { GPU_FAMILIES, GPU_RESOURCES, type GpuFamily, migProfileOf } from "../pod/gpu-families.ts";
import type { Requests } from "../pod/pod-requests.ts";
import { quantityOf } from "../pod/quantity.ts";

export interface NodeObject extends KubernetesObject {
  spec?: {
    unschedulable?: boolean;
    taints?: { key: string; value?: string; effect: string }[];
  };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    addresses?: { type: string; address: string }[];
    conditions?: { type: string; status: string }[];
    nodeInfo?: { osImage?: string; kernelVersion?: string; containerRuntimeVersion?: string };
  };
}

export interface NodeView {
  name: string;
  uid: string;
  isReady: boolean;
  isCordoned: boolean;
  /** Why nothing new is placed on it; null if it is open. */
  closed: string | null;
  /** Where its node ports are reached; null if it declares none. */
  address: string | null;
  allocatable: Requests;
  gpuFamily: GpuFamily;
  /** Resources that are shares or parts of its GPUs, and are not offered. */
  partialGpus: readonly string[];
  /** How to end that several Pods get the same GPU; null if none do. */
  sharingFix: string | null;
  /** Its MIG devices, if their resources are named by their profiles. */
  migDevices: readonly MigDevices[];
  /** How many GPUs and MIG devices its device plugin has registered, and how many of them it does not report as healthy. */
  registeredGpus: { count: number; unhealthy: number };
  /** Its label with the name of its GPUs; null without the label. */
  gpuProduct: string | null;
  /** 0 if no label says it. */
  gpuMemoryMb: number;
  gpuDriver: string | null;
  cudaVersion: string | null;
  system: NonNullable<Hardware["system"]>;
}

export interface MigDevices {
  resource: string;
  /** The profile as the resource names it. */
  profile: string;
  count: number;
  /** 0 if no label says it. */
  memoryMb: number;
}

/** Kubernetes' own taints follow from the node's conditions. */
const TOLERATED = new Set([
  ...GPU_RESOURCES,
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
]);

export function nodeViewOf({ metadata, spec = {}, status = {} }: NodeObject): NodeView {
  const { labels = {} } = metadata;
  const { capacity = {}, allocatable = {}, nodeInfo = {} } = status;
  const gpuFamily = gpuFamilyOf(allocatable, labels);
  const parts = partialGpusIn(allocatable, gpuFamily);
  const fixFor = (resource: string) => sharingFix(resource, labels, allocatable);
  return {
    name: metadata.name,
    uid: metadata.uid,
    isReady:
      status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false,
    isCordoned: spec.unschedulable ?? false,
    closed: closedBy(spec),
    address: addressIn(status.addresses ?? []),
    allocatable: {
      cpus: quantityOf(allocatable.cpu),
      memoryBytes: quantityOf(allocatable.memory),
      diskBytes: quantityOf(allocatable["ephemeral-storage"]),
      gpus: quantityOf(allocatable[gpuFamily.resource]),
    },
    gpuFamily,
    partialGpus: parts.flatMap((name) => {
      if (!migProfileOf(name)) return [name];
      return fixFor(name) === null ? [] : [`${name} (shared)`];
    }),
    sharingFix: [gpuFamily.resource, ...parts].map(fixFor).find((fix) => fix !== null) ?? null,
    migDevices: parts.flatMap((resource) => {
      const profile = migProfileOf(resource);
      if (profile === null || fixFor(resource) !== null) return [];
      const count = quantityOf(allocatable[resource]);
      return [{ resource, profile, count, memoryMb: quantityOf(labels[`${resource}.memory`]) }];
    }),
    registeredGpus: registeredIn(capacity, allocatable, gpuFamily),
    gpuProduct: productOf(gpuFamily, labels, fixFor(gpuFamily.resource) !== null),
    gpuMemoryMb: gpuFamily.memoryMbIn(labels),
    gpuDriver: versionIn(labels, "nvidia.com/cuda.driver", ["major", "minor", "rev"]),
    cudaVersion: versionIn(labels, "nvidia.com/cuda.runtime", ["major", "minor"]),
    system: {
      os: nodeInfo.osImage ?? null,
      kernelVersion: nodeInfo.kernelVersion ?? null,
      engineVersion: nodeInfo.containerRuntimeVersion ?? null,
      cpu: null,
    },
  };
}

const partialGpusIn = (allocatable: Record<string, string>, { partial }: GpuFamily) =>
  Object.keys(allocatable).filter(
    (name) => partial.test(name) && quantityOf(allocatable[name]) > 0,
  );

/** Unhealthy devices are part of the capacity, and cannot be allocated. */
function registeredIn(
  capacity: Record<string, string>,
  allocatable: Record<string, string>,
  { resource }: GpuFamily,
): NodeView["registeredGpus"] {
  const names = Object.keys(capacity).filter(
    (name) => name === resource || migProfileOf(name) !== null,
  );
  const sumOf = (amounts: Record<string, string>) =>
    names.reduce((sum, name) => sum + quantityOf(amounts[name]), 0);
  const count = sumOf(capacity);
  return { count, unhealthy: Math.max(0, count - sumOf(allocatable)) };
}

const SHARED = "-SHARED";
/** What a GPU's name ends in whose MIG devices are not all of one profile, where the device plugin expects that. */
const INVALID_MIG = "-MIG-INVALID";

/** Shared GPUs usually say so in their name; a name that was set by hand may not. */
function productOf(
  { productLabels }: GpuFamily,
  labels: Record<string, string>,
  isShared: boolean,
): string | null {
  const product = productLabels.map((name) => labels[name]).find(Boolean);
  if (product === undefined) return null;
  return isShared && !product.endsWith(SHARED) ? `${product}${SHARED}` : product;
}

const GKE_SHARING = [
  "cloud.google.com/gke-gpu-sharing-strategy",
  "cloud.google.com/gke-max-shared-clients-per-gpu",
];

/**
 * How to end that GPUs or MIG devices are given to several Pods, under a name that may not say so; null if they are not. HAMi's
 * device plugin sets no label: it registers each GPU several times, as the label that counts them shows.
 */
function sharingFix(
  resource: string,
  labels: Record<string, string>,
  allocatable: Record<string, string>,
): string | null {
  const strategy = labels[`${resource}.sharing-strategy`] ?? "none";
  const isCalledShared =
    resource.endsWith(".shared") || (labels[`${resource}.product`]?.endsWith(SHARED) ?? false);
  if (strategy !== "none" || quantityOf(labels[`${resource}.replicas`]) > 1 || isCalledShared) {
    return 'remove "sharing" from the configuration of its device plugin';
  }
  if (GKE_SHARING.some((name) => labels[name])) return "use a node pool without GPU sharing";
  const count = quantityOf(labels[`${resource}.count`]);
  const registered = quantityOf(allocatable[resource]);
  if (count === 0 || registered < 2 * count) return null;
  return `its device plugin offers ${registered} for the ${count} of the label ${resource}.count; let it offer each once, in HAMi by deviceSplitCount 1`;
}

/** Nodes with GPUs of two makers are rare; the first family counts. */
function gpuFamilyOf(allocatable: Record<string, string>, labels: Record<string, string>) {
  const offered = GPU_FAMILIES.find(({ resource }) => quantityOf(allocatable[resource]) > 0);
  const inParts = () =>
    GPU_FAMILIES.find((family) => partialGpusIn(allocatable, family).length > 0);
  const labelled = () =>
    GPU_FAMILIES.find(({ productLabels }) => productLabels.some((name) => labels[name]));
  return offered ?? labelled() ?? inParts() ?? GPU_FAMILIES[0];
}

/** An address outside the cluster before one inside. */
function addressIn(addresses: { type: string; address: string }[]): string | null {
  const [found] = ["ExternalIP", "InternalIP"].flatMap((wanted) =>
    addresses.filter(({ type }) => type === wanted),
  );
  return found?.address ?? null;
}

function closedBy({ unschedulable, taints = [] }: NonNullable<NodeObject["spec"]>) {
  if (unschedulable) return "its node is cordoned";
  const taint = taints.find(
    ({ key, effect }) => effect !== "PreferNoSchedule" && !TOLERATED.has(key),
  );
  return taint ? `its node has the taint ${taint.key}` : null;
}

/** Newer releases of GPU feature discovery label with `-version`. */
function versionIn(labels: Record<string, string>, prefix: string, parts: string[]) {
  for (const family of [`${prefix}-version`, prefix]) {
    const found = parts.map((part) => labels[`${family}.${part}`]);
    if (found.every(Boolean)) return found.join(".");
  }
  return null;
}

/**
 * The hardware that Freehold may use: what is allocatable, less what the Pods of others request. GPUs that are shared
 * between Pods are not among it.
 */
export function hardwareOf(catalog: Catalog, node: NodeView, others?: Requests): Hardware {
  const left = (name: Exclude<keyof Requests, "slices">) =>
    Math.max(0, node.allocatable[name] - (others?.[name] ?? 0));
  const type = node.gpuProduct === null ? null : gpuTypeNamed(catalog, node, node.gpuProduct);
  const memoryMb = node.gpuMemoryMb || (type?.memoryInGb ?? 0) * MB_PER_GB;
  const gpus = type
    ? Array.from({ length: left("gpus") }, (_, index) => ({ index, name: type.id, memoryMb }))
    : [];
  const slices = type ? node.migDevices.flatMap((each) => migGpus(type.id, each, others)) : [];
  return {
    vcpus: Math.floor(left("cpus")),
    memoryMb: Math.floor(left("memoryBytes") / MIB),
    diskGb: Math.floor(left("diskBytes") / 1e9),
    gpus: [...gpus, ...slices],
    gpuDriver: node.gpuDriver,
    cudaVersion: node.cudaVersion,
    system: node.system,
  };
}

function migGpus(whole: string, devices: MigDevices, others?: Requests): Hardware["gpus"] {
  const { resource, profile, count } = devices;
  const left = Math.max(0, count - (others?.slices?.[resource] ?? 0));
  const name = sliceTypeId(whole, driverProfile(profile));
  const memoryMb = devices.memoryMb || (parseSliceType(name)?.memoryInGb ?? 0) * MB_PER_GB;
  return (sliceNumbers(profile, left) ?? []).map((index) => ({ index, name, memoryMb }));
}

/**
 * The GPU type that a label names; a cluster with one profile for all GPUs of a node names a MIG device. A GPU that the
 * catalog does not have goes by the label's own words, and is rented out once these have a price.
 */
export function gpuTypeNamed(
  catalog: Catalog,
  { gpuFamily }: Pick<NodeView, "gpuFamily">,
  product: string,
): { id: string; memoryInGb: number } | undefined {
  if (product.endsWith(SHARED) || product.endsWith(INVALID_MIG)) return undefined;
  const [, name = product, profile] = /^(.+)-MIG-(\d.*)$/.exec(product) ?? [];
  const whole = wholeTypeNamed(catalog, gpuFamily, name) ?? typeOfLabel(gpuFamily, name);
  if (profile === undefined) return whole;
  const id = sliceTypeId(whole.id, driverProfile(profile));
  const slice = parseSliceType(id);
  return slice ? { id, memoryInGb: slice.memoryInGb } : undefined;
}

/** A dash may be part of a name and stays. */
const typeOfLabel = ({ space }: GpuFamily, product: string) => ({
  id: space === "-" ? product : product.replaceAll(space, " "),
  memoryInGb: 0,
});

/** Labels hold no spaces. Names are compared whole: an A100 is not an A10. */
function wholeTypeNamed(
  { gpuTypes, namedTypes, gpuTypeAliases }: Catalog,
  { space }: GpuFamily,
  product: string,
) {
  const isNamed = (id: string) => id.replaceAll(" ", space) === product;
  const alias = Object.keys(gpuTypeAliases).find(isNamed);
  const id = alias === undefined ? null : gpuTypeAliases[alias];
  // GPUs without a price are known to be there, and are rented out once they have one.
  return [...gpuTypes, ...namedTypes].find((type) => isNamed(type.id) || type.id === id);
}
