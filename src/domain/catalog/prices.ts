// The prices of a catalog as single entries, and a catalog with some prices replaced. Pure.

import { type Catalog, type GpuPrices, hasGpuType, type StoragePrices } from "./catalog.ts";
import { type GpuTypeFacts, ownTypeOf } from "./own-types.ts";
import { sliceTypeOf } from "./slice-type.ts";

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
function withPrices(base: Catalog, settings: readonly PriceSetting[]): Catalog {
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

/** What stands beside the catalog's file. */
export interface PriceBook {
  /** The types of MIG devices that machines have or had. */
  sliceTypes: readonly string[];
  /** The types that the file does not have and the operator gave a price, now or before. */
  ownTypes: readonly GpuTypeFacts[];
  settings: readonly PriceSetting[];
}

/**
 * The catalog with prices replaced, with the types that have a price in the book alone, and with the types of MIG devices
 * that it does not have. Their prices follow from those of the whole GPUs until they are set.
 */
function priceCatalog(file: Catalog, { sliceTypes, ownTypes, settings }: PriceBook): Catalog {
  const own = ownTypes
    .filter(({ id }) => !hasGpuType(file, id))
    .flatMap((facts) => ownTypeOf(facts, settings) ?? []);
  const priced = withPrices({ ...file, gpuTypes: [...file.gpuTypes, ...own] }, settings);
  const added = sliceTypes
    .filter((id) => !hasGpuType(priced, id))
    .flatMap((id) => sliceTypeOf(priced, id) ?? []);
  if (added.length === 0) return priced;
  return withPrices({ ...priced, gpuTypes: [...priced.gpuTypes, ...added] }, settings);
}

/**
 * A catalog whose prices change while the service runs. A transaction that prices something first
 * makes sure that the catalog is current (store/price-book/lock.ts); showing prices does not need that.
 */
export class PricedCatalog implements Catalog {
  readonly #file: Catalog;
  #now: Catalog;
  #book: PriceBook = { sliceTypes: [], ownTypes: [], settings: [] };
  /** Names the state of the price book that is applied; empty before the first. */
  version = "";

  constructor(file: Catalog) {
    this.#file = file;
    this.#now = file;
  }

  /** Resets to the prices of the file, with this price book. */
  set(version: string, book: PriceBook): void {
    this.#book = book;
    this.#now = this.with({});
    this.version = version;
  }

  /** The catalog with a part of the price book replaced. */
  with(changed: Partial<PriceBook>): Catalog {
    return priceCatalog(this.#file, { ...this.#book, ...changed });
  }

  /** The types whose price is in the book alone, now or before. */
  get ownTypes(): readonly GpuTypeFacts[] {
    return this.#book.ownTypes.filter(({ id }) => !hasGpuType(this.#file, id));
  }

  /** Types by name without a price; what the operator called them comes first. */
  get namedTypes() {
    return [...this.#book.ownTypes, ...this.#file.namedTypes];
  }

  /** The catalog with the current prices; this object does not change later. */
  get now(): Catalog {
    return this.#now;
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
