// The places that `freehold cp` and `freehold ls` take: a path on this machine, or VOLUME:PATH.

import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import type { NetworkVolume } from "../../contract/rest-v1/storage/network-volume.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";

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

export async function fetchVolumes(service: RunningService): Promise<NetworkVolume[]> {
  return (await ask(service, "GET", "/v1/networkvolumes")) as NetworkVolume[];
}

/** The volume with this id, or the only one with this name. */
export async function findVolume(service: RunningService, word: string): Promise<NetworkVolume> {
  const volumes = await fetchVolumes(service);
  const byId = volumes.find(({ id }) => id === word);
  const [found, ...more] = byId ? [byId] : volumes.filter(({ name }) => name === word);
  if (!found) {
    throw new Refusal(
      `there is no volume "${word}"; \`freehold ls\` lists your volumes`,
      exitCodes.notFound,
    );
  }
  if (more.length === 0) return found;
  const ids = [found, ...more].map(({ id }) => id).join(", ");
  throw new UsageError(`${more.length + 1} volumes are named "${word}"; use an id: ${ids}`);
}
