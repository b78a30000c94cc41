// What keeps a machine from being asked at all, whoever has taken what of it: each filter says in a
// sentence why, or nothing. What a machine does not declare matches.

import type { Place } from "./place.ts";
import type { PlacementWish } from "./wish.ts";

type Filter = (wish: PlacementWish, place: Place) => string | null;

const open: Filter = (_, { closed }) => closed;

const driver: Filter = (wish, { drivers }) =>
  drivers.includes(wish.driver) ? null : `it has no driver "${wish.driver}"`;

const volume: Filter = ({ volume: asked }, { machine }) =>
  asked === null || asked.machine === machine
    ? null
    : `the data of network volume ${asked.id} is on machine ${asked.machine}`;

const cloudType: Filter = ({ cloudType: asked }, { inventory: { cloudType: has } }) =>
  has === null || asked === "ALL" || has === asked ? null : `its cloud type is ${has}`;

const dataCenter: Filter = ({ dataCenterIds: asked }, { inventory: { dataCenterId: has } }) =>
  has === null || asked.length === 0 || asked.includes(has) ? null : `it stands in ${has}`;

const country: Filter = ({ countryCodes: asked }, { inventory: { countryCode: has } }) =>
  has === null || asked.length === 0 || asked.includes(has) ? null : `its country is ${has}`;

const cuda: Filter = ({ cudaVersions: asked }, { inventory: { cudaVersion: has } }) =>
  has === null || asked.length === 0 || asked.includes(has) ? null : `its CUDA version is ${has}`;

const publicIp: Filter = ({ supportPublicIp: asked }, { inventory: { supportPublicIp: has } }) =>
  asked !== true || has !== false ? null : "it has no public IP";

const atLeast = (
  asked: (wish: PlacementWish) => number | null,
  has: (inventory: Place["inventory"]) => number | null,
  how: (there: number) => string,
): Filter => {
  return (wish, { inventory }) => {
    const [least, there] = [asked(wish), has(inventory)];
    return least === null || there === null || there >= least ? null : `it ${how(there)}`;
  };
};

const filters: readonly Filter[] = [
  open,
  driver,
  volume,
  cloudType,
  dataCenter,
  country,
  cuda,
  publicIp,
  atLeast(
    (wish) => wish.minDownloadMbps,
    (inventory) => inventory.downloadMbps,
    (there) => `downloads at ${there} Mbps`,
  ),
  atLeast(
    (wish) => wish.minUploadMbps,
    (inventory) => inventory.uploadMbps,
    (there) => `uploads at ${there} Mbps`,
  ),
  atLeast(
    (wish) => wish.minDiskMBps,
    (inventory) => inventory.diskMBps,
    (there) => `has a disk with ${there} MB/s`,
  ),
];

/** The first reason against a machine, or null. */
export function unfit(wish: PlacementWish, place: Place): string | null {
  for (const filter of filters) {
    const reason = filter(wish, place);
    if (reason !== null) return reason;
  }
  return null;
}
