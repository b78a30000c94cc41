// The prices of a catalog as single entries, and a catalog with some prices replaced. Pure.

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

/** Names one price. */
export type PriceName =
  | { kind: "gpuType"; id: string; price: keyof GpuPrices }
  | { kind: "cpuFlavor"; id: string; price: "perVcpu" }
  | { kind: "storage"; id: ""; price: keyof StoragePrices };

/** Micro-dollars; null to use the price of the catalog's file. */
export type PriceSetting = PriceName & { micros: number | null };

/** Null if there is no such price; undefined if the catalog does not have the resource. */
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

/** Prices of resources that are not in the catalog are ignored. */
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
 * A catalog whose prices change while the service runs. A transaction that prices something first
 * makes sure that the catalog is current (store/price-book/lock.ts); showing prices does not need that.
 */
export class PricedCatalog implements Catalog {
  readonly #file: Catalog;
  #now: Catalog;
  /** The number of the last change that is applied. */
  seq = 0;

  constructor(file: Catalog) {
    this.#file = file;
    this.#now = file;
  }

  /** Resets to the prices of the file, with these changes. */
  set(seq: number, settings: readonly PriceSetting[]): void {
    this.#now = withPrices(this.#file, settings);
    this.seq = seq;
  }

  /** The catalog with the current prices; this object does not change later. */
  get now(): Catalog {
    return this.#now;
  }

  /** The catalog with the prices of the file. */
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
