// The places that `freehold cp` and `freehold ls` take: a path on this machine, or VOLUME:PATH.

import type { RunningService } from "../client/running-service.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";

export type FileLocation = { local: string } | VolumeLocation;

export interface VolumeLocation {
  /** A volume's id or name. */
  volume: string;
  /** The path without a slash at its beginning; empty for the volume's root. */
  path: string;
}

/** A colon after the first slash belongs to a path of this machine, as does one after a drive letter. */
export function readPlace(text: string): FileLocation {
  const [, volume, path] = /^([^/\\:.][^/\\:]+):(.*)$/s.exec(text) ?? [];
  if (volume === undefined || path === undefined) return { local: text };
  return { volume, path: path.replace(/^\/+/, "") };
}

/** VOLUME, VOLUME/PATH or VOLUME:PATH. */
export function readVolumePlace(text: string): VolumeLocation {
  const [, volume = "", path = ""] = /^([^/:]*)[/:]?(.*)$/s.exec(text) ?? [];
  return { volume, path: path.replace(/^\/+/, "") };
}

export const findVolume = (service: RunningService, word: string): Promise<{ id: string }> =>
  findItem(service, resources.volumes!, word);
