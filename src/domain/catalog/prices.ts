// The prices of a catalog one by one, and a catalog with some of them set otherwise. Pure.

import type { Catalog, GpuPrices, StoragePrices } from "./catalog.ts";

export const gpuPrices = [
  "secure",
  "community",
  "secureSpot",
  "communitySpot",
  "serverless",
  "threeMonth",
  "sixMonth",
] as const satisfies (keyof GpuPrices)[];

export const storagePrices = [
  "containerDisk",
  "volumeRunning",
  "volumeStopped",
  "networkVolume",
  "networkVolumeBeyond",
] as const satisfies (keyof StoragePrices)[];

/** Which price it is. */
export type PriceName =
  | { kind: "gpuType"; id: string; price: keyof GpuPrices }
  | { kind: "cpuFlavor"; id: string; price: "perVcpu" }
  | { kind: "storage"; id: ""; price: keyof StoragePrices };

/** Micro-dollars; null for what the catalog's file says. */
export type PriceSetting = PriceName & { micros: number | null };

/** Null where there is none; undefined where the catalog does not know what it is of. */
export function priceOf(catalog: Catalog, name: PriceName): number | null | undefined {
  switch (name.kind) {
    case "gpuType":
      return catalog.gpuTypes.find(({ id }) => id === name.id)?.prices[name.price];
    case "cpuFlavor":
      return catalog.cpuFlavors.find(({ id }) => id === name.id)?.pricePerVcpu;
    case "storage":
      return catalog.storage[name.price];
  }
}

/** What is set of something that the catalog does not hold is left out. */
export function withPrices(base: Catalog, settings: readonly PriceSetting[]): Catalog {
  const set = settings.filter(({ micros }) => micros !== null);
  const of = <Kind extends PriceName["kind"]>(kind: Kind, ofId: string) => {
    const those = set.filter((each) => each.kind === kind && each.id === ofId);
    return Object.fromEntries(those.map(({ price, micros }) => [price, micros!]));
  };
  return {
    ...base,
    gpuTypes: base.gpuTypes.map((type) => {
      return { ...type, prices: { ...type.prices, ...of("gpuType", type.id) } };
    }),
    cpuFlavors: base.cpuFlavors.map((flavor) => {
      return { ...flavor, pricePerVcpu: of("cpuFlavor", flavor.id).perVcpu ?? flavor.pricePerVcpu };
    }),
    storage: { ...base.storage, ...of("storage", "") },
  };
}

/**
 * A catalog whose prices change while the service runs. Whoever prices something in a turn of the store
 * makes sure first that it is the newest (store/price-book/hold.ts); who only shows prices need not.
 */
export class PricedCatalog implements Catalog {
  readonly #file: Catalog;
  #now: Catalog;
  /** Of the last change that is in it. */
  seq = 0;

  constructor(file: Catalog) {
    this.#file = file;
    this.#now = file;
  }

  /** As the file says, but for these. */
  set(seq: number, settings: readonly PriceSetting[]): void {
    this.#now = withPrices(this.#file, settings);
    this.seq = seq;
  }

  /** As it is now, for good. */
  get now(): Catalog {
    return this.#now;
  }

  /** As it would be without any change. */
  get file(): Catalog {
    return this.#file;
  }

  get gpuTypes() {
    return this.#now.gpuTypes;
  }

  get cpuFlavors() {
    return this.#now.cpuFlavors;
  }

  get storage() {
    return this.#now.storage;
  }

  get gpuTypeAliases() {
    return this.#file.gpuTypeAliases;
  }

  get dataCenters() {
    return this.#file.dataCenters;
  }

  get cudaVersions() {
    return this.#file.cudaVersions;
  }
}
