// A volume as an S3 key may use it, and access to its files.

import { Fault } from "../../domain/fault.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import { includesVolume, opensVolumesOf, permits, type S3Key } from "../../domain/s3/s3-key.ts";
import type { DriverQueries } from "../../drivers/driver.ts";
import type { VolumeFiles } from "../../drivers/volume-files.ts";
import { findVolume, listVolumes } from "../../store/network-volume/network-volume.ts";
import { placeVolumeHere } from "../../transactions/network-volume/place-here.ts";
import type { S3Deps } from "./s3-deps.ts";

export interface WritableVolume {
  volume: NetworkVolume;
  files: VolumeFiles;
}

/** The volumes that the key includes, oldest first. */
export async function volumesFor({ store }: S3Deps, key: S3Key): Promise<NetworkVolume[]> {
  requireAccess(key, "read");
  const volumes = await store.read(listVolumes, key.accountId);
  return volumes.filter((volume) => includesVolume(key, volume.id) && opensVolumesOf(key, volume));
}

/** Throws NoSuchBucket for a volume of another account as for none. */
export async function requireVolume(
  { store }: S3Deps,
  key: S3Key,
  bucket: string,
  needs: "read" | "write",
): Promise<NetworkVolume> {
  const volume = await store.read(findVolume, bucket);
  if (volume?.accountId !== key.accountId || !includesVolume(key, bucket)) {
    throw new S3Error("NoSuchBucket", { bucket });
  }
  requireAccess(key, needs);
  if (!opensVolumesOf(key, volume)) {
    const detail = `Your role, member, reaches only what belongs to you: network volume ${bucket} does not.`;
    throw new S3Error("AccessDenied", { detail });
  }
  return volume;
}

function requireAccess(key: S3Key, needs: "read" | "write"): void {
  if (permits(key, needs)) return;
  const detail = `The key ${key.id} does not permit this; it needs ${needs} access to volumes.`;
  throw new S3Error("AccessDenied", { detail });
}

/** Null if nothing was ever written to the volume. */
export async function readableFiles(
  deps: S3Deps,
  volume: NetworkVolume,
): Promise<VolumeFiles | null> {
  if (volume.machine === null) return null;
  const drivers = driversOf(deps, volume, volume.machine);
  return (await firstFiles(drivers, volume, false)) ?? (await requireReachable(drivers, volume));
}

/** The volume, which exists on a machine from now on. */
export async function writableVolume(
  deps: S3Deps,
  key: S3Key,
  bucket: string,
): Promise<WritableVolume> {
  const found = await requireVolume(deps, key, bucket, "write");
  const drivers = driversOf(deps, found, found.machine ?? deps.machine);
  const volume = found.machine === null ? await placeHere(deps, bucket) : found;
  const files =
    (await firstFiles(drivers, volume, false)) ?? (await firstFiles(drivers, volume, true));
  if (files) return { volume, files };
  throw unreachable(volume);
}

async function placeHere({ store, machine }: S3Deps, bucket: string): Promise<NetworkVolume> {
  const placed = await store.write(placeVolumeHere, bucket, machine);
  if (placed === null) throw new S3Error("NoSuchBucket", { bucket });
  if (placed instanceof Fault) {
    throw new S3Error("NotImplemented", { detail: `${placed.message}.` });
  }
  if (placed.machine !== machine) throw elsewhere(placed);
  return placed;
}

/** The drivers of the volume's machine that have files. */
function driversOf(
  { localDrivers }: S3Deps,
  volume: NetworkVolume,
  machine: string,
): readonly DriverQueries[] {
  const local = localDrivers.at(machine);
  if (!local) throw elsewhere(volume);
  const drivers = local.looking.filter(({ volumeFiles }) => volumeFiles !== undefined);
  if (drivers.length === 0) throw unreachable(volume);
  return drivers;
}

async function firstFiles(
  drivers: readonly DriverQueries[],
  { id }: NetworkVolume,
  create: boolean,
): Promise<VolumeFiles | null> {
  for (const driver of drivers) {
    const files = await driver.volumeFiles!({ kind: "network", name: id }, create);
    if (files) return files;
  }
  return null;
}

/** A volume without a folder is empty, if a folder can be created and reached. */
async function requireReachable(
  drivers: readonly DriverQueries[],
  volume: NetworkVolume,
): Promise<VolumeFiles> {
  const files = await firstFiles(drivers, volume, true);
  if (files) return files;
  throw unreachable(volume);
}

function elsewhere({ id, machine }: NetworkVolume): S3Error {
  const detail =
    `The data of volume ${id} is on machine ${machine}, whose files are not offered here. ` +
    "Use the S3 address of the service on that machine.";
  return new S3Error("NotImplemented", { detail });
}

function unreachable({ id }: NetworkVolume): S3Error {
  const detail =
    `The files of volume ${id} cannot be reached: its engine is on another machine, or this service ` +
    "cannot read the engine's folder of volumes.";
  return new S3Error("NotImplemented", { detail });
}
