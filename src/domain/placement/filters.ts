// Filters that exclude a machine regardless of what is free on it. Each returns the reason as a
// sentence, or null. An attribute that a machine does not declare matches anything, except a CUDA version.

import { describeCudaDemand, satisfiesCuda } from "../catalog/cuda-version.ts";
import { volumeHomeOf } from "../machine/volume-home.ts";
import { canHaveModels, NO_MODEL_CACHE } from "../model/presence.ts";
import { driverOn } from "./driver-on.ts";
import type { Place } from "./place.ts";
import type { PlacementRequest } from "./request.ts";

type Filter = (request: PlacementRequest, place: Place) => string | null;

/** An empty list and an undeclared attribute match anything. */
const matchesAny = (accepted: readonly string[], declared: string | null) =>
  declared === null || accepted.length === 0 || accepted.includes(declared);

const open: Filter = (_, { closed }) => closed;

const catalog: Filter = ({ unoffered = null }) => unoffered;

const driver: Filter = (request, { drivers }) =>
  driverOn(drivers, request.driver) ? null : `it has no driver "${request.driver}"`;

/** Kubernetes machines do not offer them yet. */
const offered: Filter = ({ driver: requested, needs = [] }, { drivers }) => {
  const [missing] = needs;
  if (missing === undefined || driverOn(drivers, requested) !== "kubernetes") return null;
  return `it is a Kubernetes node, which does not offer ${missing}`;
};

const modelCache: Filter = ({ models = [] }, { inventory }) =>
  models.length === 0 || canHaveModels(inventory) ? null : NO_MODEL_CACHE;

const volume: Filter = ({ volume, mountsVolume }, place) => {
  if (!mountsVolume && volume === null) return null;
  const home = volumeHomeOf(place);
  if (home === null) return "its cluster has no storage class for network volumes";
  if (volume === null || volume.machine === home) return null;
  return `the data of network volume ${volume.id} is on machine ${volume.machine}`;
};

const cloudType: Filter = (request, { inventory: { cloudType } }) =>
  cloudType === null || request.cloudType === "ALL" || cloudType === request.cloudType
    ? null
    : `its cloud type is ${cloudType}`;

const dataCenter: Filter = ({ dataCenterIds }, { inventory: { dataCenterId } }) =>
  matchesAny(dataCenterIds, dataCenterId) ? null : `it is in ${dataCenterId}`;

const country: Filter = ({ countryCodes }, { inventory: { countryCode } }) =>
  matchesAny(countryCodes, countryCode) ? null : `its country is ${countryCode}`;

/** The driver of simulated GPUs is virtual too: it has any version, unless one is declared. */
const cuda: Filter = ({ cuda: demand }, { inventory: { cudaVersion }, free: { gpus } }) => {
  if (satisfiesCuda(demand, cudaVersion)) return null;
  if (cudaVersion !== null) return `its CUDA version is ${cudaVersion}`;
  if (gpus.length > 0 && gpus.every(({ virtual }) => virtual)) return null;
  return `its CUDA version is unknown, and ${describeCudaDemand(demand)} is required`;
};

const publicIp: Filter = (request, { inventory }) =>
  request.supportPublicIp !== true || inventory.supportPublicIp !== false
    ? null
    : "it has no public IP";

const atLeast = (
  minimumOf: (request: PlacementRequest) => number | null,
  declaredOf: (inventory: Place["inventory"]) => number | null,
  describe: (value: number) => string,
): Filter => {
  return (request, { inventory }) => {
    const [minimum, value] = [minimumOf(request), declaredOf(inventory)];
    return minimum === null || value === null || value >= minimum ? null : `it ${describe(value)}`;
  };
};

const filters: readonly Filter[] = [
  catalog,
  open,
  driver,
  offered,
  modelCache,
  volume,
  cloudType,
  dataCenter,
  country,
  cuda,
  publicIp,
  atLeast(
    (request) => request.minDownloadMbps,
    (inventory) => inventory.downloadMbps,
    (value) => `downloads at ${value} Mbps`,
  ),
  atLeast(
    (request) => request.minUploadMbps,
    (inventory) => inventory.uploadMbps,
    (value) => `uploads at ${value} Mbps`,
  ),
  atLeast(
    (request) => request.minDiskMBps,
    (inventory) => inventory.diskMBps,
    (value) => `has a disk with ${value} MB/s`,
  ),
];

/** The first reason against a machine, or null. */
export function unfit(request: PlacementRequest, place: Place): string | null {
  for (const filter of filters) {
    const reason = filter(request, place);
    if (reason !== null) return reason;
  }
  return null;
}
