// GPU types that machines have and the catalog's file does not. The operator gives them a price in the price book. Pure.

import { MB_PER_GB } from "../../base/units.ts";
import type { Catalog, GpuType } from "./catalog.ts";
import type { PriceSetting } from "./prices.ts";
import { parsePartType } from "./slice-name.ts";

/** What a GPU type is, besides its pool and prices. */
export type GpuTypeFacts = Pick<GpuType, "id" | "displayName" | "manufacturer" | "memoryInGb">;

/** The real GPUs of one type in the fleet. */
export interface FleetGpus extends Omit<GpuTypeFacts, "memoryInGb"> {
  /** Null if no machine reports it. */
  memoryInGb: number | null;
  gpuCount: number;
  machines: string[];
}

export interface MachineGpus {
  machine: string;
  inventory: {
    gpus: readonly {
      gpuTypeId: string;
      memoryMb: number;
      virtual: boolean;
      indices: readonly number[];
    }[];
  };
}

type NamedTypes = readonly GpuTypeFacts[];

/** The real GPUs of all machines by their type; `named` are the types whose facts are not from a reading. */
export function fleetGpus(machines: readonly MachineGpus[], named: NamedTypes): FleetGpus[] {
  const fleet = new Map<string, FleetGpus>();
  for (const { machine, inventory } of machines) {
    for (const { gpuTypeId: id, memoryMb, virtual, indices } of inventory.gpus) {
      if (virtual) continue;
      const type = fleet.get(id) ?? fleetType(id, named);
      type.memoryInGb ??= memoryMb > 0 ? Math.max(1, Math.round(memoryMb / MB_PER_GB)) : null;
      type.gpuCount += indices.length;
      type.machines.push(machine);
      fleet.set(id, type);
    }
  }
  return [...fleet.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The GPUs that no client can rent, because their type has no price. */
export function unpricedGpus(
  { gpuTypes, namedTypes }: Pick<Catalog, "gpuTypes" | "namedTypes">,
  machines: readonly MachineGpus[],
): FleetGpus[] {
  const priced = new Set(gpuTypes.map(({ id }) => id));
  return fleetGpus(machines, namedTypes).filter(({ id }) => !priced.has(id));
}

/** A GPU of a machine, or the whole GPU of which a machine has parts. */
export function fleetTypeOf(fleet: readonly FleetGpus[], id: string, named: NamedTypes) {
  const own = fleet.find((each) => each.id === id);
  const isSplit = fleet.some((each) => parsePartType(each.id)?.whole === id);
  return own ?? (isSplit ? fleetType(id, named) : null);
}

function fleetType(id: string, named: NamedTypes): FleetGpus {
  const facts = named.find((each) => each.id === id);
  const part = parsePartType(id);
  const { displayName, manufacturer, memoryInGb } = facts ?? {
    displayName: id.replace(/^(NVIDIA GeForce|NVIDIA|AMD Instinct|AMD Radeon|AMD)[ _-]/, ""),
    manufacturer: manufacturerOf(id),
    memoryInGb: part?.memoryInGb ?? null,
  };
  return { id, displayName, manufacturer, memoryInGb, gpuCount: 0, machines: [] };
}

/** Names of a Kubernetes node's label have no spaces. */
function manufacturerOf(id: string): string {
  if (/^(NVIDIA|Tesla|Quadro)\b/.test(id)) return "NVIDIA";
  return /^[^ _-]+/.exec(id)?.[0] ?? id;
}

/** Null without a price on demand. Until they are set, the other prices follow from it, and a spot price from the other one. */
export function ownTypeOf(facts: GpuTypeFacts, settings: readonly PriceSetting[]): GpuType | null {
  const priceSet = (price: keyof GpuType["prices"]) =>
    settings.find((each) => each.kind === "gpuType" && each.id === facts.id && each.price === price)
      ?.micros ?? null;
  const secure = priceSet("secure");
  if (secure === null) return null;
  const communitySpot = priceSet("communitySpot") ?? priceSet("secureSpot") ?? secure;
  const onDemand = { secure, community: secure, serverless: secure };
  const prices = { ...onDemand, secureSpot: secure, communitySpot };
  return { ...facts, pool: null, prices: { ...prices, threeMonth: null, sixMonth: null } };
}
