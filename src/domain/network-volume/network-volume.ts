// A network volume: a folder that Pods and workers mount and that outlives them. Its data is on the
// machine or the cluster that used it first, so every Pod and worker that mounts it runs there. Pure.

import { type Labels, noLabels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";

export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";

/** What a client sets and changes of a volume, beside its size. */
export interface VolumeTerms {
  name: string;
  labels: Labels;
}

const defaultTerms: VolumeTerms = { name: "", labels: noLabels };

const termNames = Object.keys(defaultTerms) as (keyof VolumeTerms)[];

/** The terms in a request, without its other fields; an omitted one has its default. */
export function volumeTermsOf(request: Partial<VolumeTerms>): VolumeTerms {
  const terms = termNames.map((name) => [name, request[name] ?? defaultTerms[name]]);
  return Object.fromEntries(terms) as unknown as VolumeTerms;
}

export interface NetworkVolume extends Owned, VolumeTerms {
  id: string;
  accountId: string;
  /** GB; it only grows. */
  size: number;
  /** The class that the client asked for; the machine's disk is the same. */
  type: VolumeType;
  dataCenterId: string;
  /** The machine or the cluster that has its data; null until something uses the volume. */
  machine: string | null;
  /** True if its machine only simulates the size, as it simulates GPUs. */
  virtual: boolean;
  createdAt: number;
}

export interface Whereabouts {
  /** Where a volume of the machine has its data; null if the machine offers none. */
  home: string | null;
  /** Null if the machine declares none, which matches any. */
  dataCenterId: string | null;
}

/** The endpoint's volume that a worker on this machine mounts; one with data takes precedence. */
export function volumeFor(
  volumes: readonly NetworkVolume[],
  { home, dataCenterId }: Whereabouts,
): NetworkVolume | undefined {
  if (home === null) return undefined;
  const near = (volume: NetworkVolume) =>
    dataCenterId === null || dataCenterId === volume.dataCenterId;
  return (
    volumes.find((volume) => volume.machine === home) ??
    volumes.find((volume) => volume.machine === null && near(volume))
  );
}

/** Validation errors of an endpoint with these volumes, one sentence each. */
export function validateVolume(
  ids: readonly string[],
  volumes: readonly NetworkVolume[],
  dataCenterIds: readonly string[],
): string[] {
  const errors = ids
    .filter((id) => !volumes.some((volume) => volume.id === id))
    .map((id) => noSuchVolume("networkVolumeIds", id));
  for (const [n, { id, dataCenterId }] of volumes.entries()) {
    const other = volumes.slice(0, n).find((each) => each.dataCenterId === dataCenterId);
    if (other) {
      errors.push(
        `"networkVolumeIds" has ${other.id} and ${id}, both in ${dataCenterId}; it takes one for each data center.`,
      );
    }
    if (dataCenterIds.length > 0 && !dataCenterIds.includes(dataCenterId)) {
      errors.push(
        `"networkVolumeIds" has ${id}, which is in ${dataCenterId}; "dataCenterIds" must have that too, or be left empty.`,
      );
    }
  }
  return errors;
}

export function noSuchVolume(field: string, id: string): string {
  return `"${field}" must be of your network volumes; there is no "${id.slice(0, 80)}".`;
}
