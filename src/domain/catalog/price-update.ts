// Decides what a request to change prices changes: also which GPU types enter the catalog by their price. Pure.

import { type Catalog, hasGpuType, idsOf } from "./catalog.ts";
import { type FleetGpus, fleetTypeOf, type GpuTypeFacts } from "./own-types.ts";
import { gpuPrices, type PriceSetting } from "./prices.ts";
import { unknownGpuTypes, unknownNames } from "./unknown-names.ts";

export interface PriceUpdate {
  settings: readonly PriceSetting[];
  /** What GPU types are called, and their memory, where the request says it. */
  facts: readonly (Pick<GpuTypeFacts, "id"> & Partial<GpuTypeFacts>)[];
}

export interface ResolvedUpdate {
  settings: readonly PriceSetting[];
  /** All of them, or null if none changes. */
  ownTypes: readonly GpuTypeFacts[] | null;
  errors: readonly string[];
}

export interface PricedTypes extends Catalog {
  ownTypes: readonly GpuTypeFacts[];
}

/** The GPU types in a request that the catalog does not have now. */
export const newTypeIds = (catalog: Pick<Catalog, "gpuTypes">, update: PriceUpdate): string[] =>
  gpuTypeIdsIn(update).filter((id) => !hasGpuType(catalog, id));

export function resolveUpdate(
  catalog: PricedTypes,
  update: PriceUpdate,
  fleet: readonly FleetGpus[],
): ResolvedUpdate {
  const flavors = update.settings.filter(({ kind }) => kind === "cpuFlavor").map(({ id }) => id);
  const known = idsOf(catalog.cpuFlavors);
  const errors = unknownNames("cpuFlavors", [...new Set(flavors)], known, "a CPU flavor");
  const changes = gpuTypeIdsIn(update).map((id) => changeOf(catalog, update, fleet, id));
  const entries = changes.flatMap(({ entry }) => entry ?? []);
  const others = update.settings.filter(({ kind }) => kind !== "gpuType");
  return {
    settings: [...others, ...changes.flatMap(({ settings }) => settings)],
    ownTypes: entries.length === 0 ? null : withEntries(catalog.ownTypes, entries),
    errors: [...errors, ...changes.flatMap(({ error }) => error ?? [])],
  };
}

const gpuTypeIdsIn = ({ settings, facts }: PriceUpdate): string[] => [
  ...new Set([...settings.filter(({ kind }) => kind === "gpuType"), ...facts].map(({ id }) => id)),
];

function withEntries(before: readonly GpuTypeFacts[], entries: readonly GpuTypeFacts[]) {
  const stay = before.filter(({ id }) => !entries.some((each) => each.id === id));
  return [...stay, ...entries];
}

interface TypeChange {
  settings: readonly PriceSetting[];
  entry?: GpuTypeFacts;
  error?: string;
}

function changeOf(
  catalog: PricedTypes,
  update: PriceUpdate,
  fleet: readonly FleetGpus[],
  id: string,
): TypeChange {
  const settings = update.settings.filter((each) => each.kind === "gpuType" && each.id === id);
  const facts = update.facts.find((each) => each.id === id);
  const secure = settings.find(({ price }) => price === "secure")?.micros;
  const own = catalog.ownTypes.find((each) => each.id === id);
  const refuse = (error: string): TypeChange => ({ settings: [], error });
  if (hasGpuType(catalog, id)) {
    if (!own) {
      const text = `"gpuTypes" has ${id}, whose name and memory come from the catalog; only its prices can be changed.`;
      return facts ? refuse(text) : { settings };
    }
    if (secure !== null) return { settings, ...(facts && { entry: { ...own, ...facts } }) };
    const hasMore = facts !== undefined || settings.some(({ micros }) => micros !== null);
    const text = `"gpuTypes" has ${id} with securePrice null, which takes it out of the catalog; send nothing else for it.`;
    return hasMore ? refuse(text) : { settings: removal(id) };
  }
  const type = fleetTypeOf(fleet, id, catalog.namedTypes);
  if (!type) return refuse(unknownGpuTypes("gpuTypes", [id], catalog)[0]!);
  if (secure == null) {
    const hasMore = facts !== undefined || settings.some(({ micros }) => micros !== null);
    const text = `"gpuTypes" has ${id}, which has no price yet; set its securePrice.`;
    return hasMore ? refuse(text) : { settings: [] };
  }
  const { displayName, manufacturer, memoryInGb } = { ...type, ...facts };
  if (memoryInGb === null) {
    return refuse(
      `"gpuTypes" has ${id}, whose memory no machine reports; set its "memoryInGb", too.`,
    );
  }
  return { settings, entry: { id, displayName, manufacturer, memoryInGb } };
}

/** Its price on demand is the last, because the others follow from it. */
const removal = (id: string): PriceSetting[] =>
  [...gpuPrices].reverse().map((price) => ({ kind: "gpuType" as const, id, price, micros: null }));
