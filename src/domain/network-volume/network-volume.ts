// A network volume: a folder with a life of its own, which Pods and workers mount. Its data is on the
// machine that used it first, so that is where all who mount it run. Pure.

export interface NetworkVolume {
  id: string;
  accountId: string;
  name: string;
  /** GB; it only grows. */
  size: number;
  dataCenterId: string;
  /** Which has its data; null before anything used it. */
  machine: string | null;
  /** True where a machine promised its size on paper only, as it does with virtual GPUs. */
  virtual: boolean;
  createdAt: number;
}

export interface Whereabouts {
  machine: string;
  /** Null where it is not declared, which matches any. */
  dataCenterId: string | null;
}

/** Of an endpoint's volumes the one that a worker on this machine gets: one with data goes first. */
export function volumeFor(
  volumes: readonly NetworkVolume[],
  { machine, dataCenterId }: Whereabouts,
): NetworkVolume | undefined {
  const near = (volume: NetworkVolume) =>
    dataCenterId === null || dataCenterId === volume.dataCenterId;
  return (
    volumes.find((volume) => volume.machine === machine) ??
    volumes.find((volume) => volume.machine === null && near(volume))
  );
}

/** What is wrong with an endpoint that is to have these volumes, a sentence each. */
export function volumeMistakes(
  asked: readonly string[],
  found: readonly NetworkVolume[],
  dataCenterIds: readonly string[],
): string[] {
  const mistakes = asked
    .filter((id) => !found.some((volume) => volume.id === id))
    .map((id) => noSuchVolume("networkVolumeIds", id));
  for (const [n, { id, dataCenterId }] of found.entries()) {
    const other = found.slice(0, n).find((each) => each.dataCenterId === dataCenterId);
    if (other) {
      mistakes.push(
        `"networkVolumeIds" has ${other.id} and ${id}, both in ${dataCenterId}; it takes one for each data center.`,
      );
    }
    if (dataCenterIds.length > 0 && !dataCenterIds.includes(dataCenterId)) {
      mistakes.push(
        `"networkVolumeIds" has ${id}, which is in ${dataCenterId}; "dataCenterIds" must have that too, or be left empty.`,
      );
    }
  }
  return mistakes;
}

export function noSuchVolume(field: string, id: string): string {
  return `"${field}" must be of your network volumes; there is no "${id.slice(0, 80)}".`;
}
