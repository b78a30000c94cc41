// Routes of /v1/price-book.

import type { FastifyInstance } from "fastify";
import {
  type PriceBook,
  type PriceBookUpdate,
  type PriceChange,
  priceBookOperations,
} from "../../../contract/rest-v1/billing/price-book.ts";
import type { GpuPrices } from "../../../domain/catalog/catalog.ts";
import type { FleetGpus } from "../../../domain/catalog/own-types.ts";
import type { PriceUpdate } from "../../../domain/catalog/price-update.ts";
import {
  gpuPrices,
  type PricedCatalog,
  type PriceName,
  type PriceSetting,
  storagePrices,
} from "../../../domain/catalog/prices.ts";
import { Fault } from "../../../domain/fault.ts";
import { changePrices, type PriceDeps } from "../../../flows/price-book/change.ts";
import { readPriceChanges, readUnpricedGpus } from "../../../flows/price-book/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { storageRead } from "../machine/catalog.ts";

const MICROS_PER_DOLLAR = 1_000_000;

export function priceBookRoutes(app: FastifyInstance, deps: PriceDeps): void {
  serveOperations(app, priceBookOperations, {
    getPriceBook: async ({ accountId }) =>
      bookRead(deps.catalog, await readUnpricedGpus(deps, accountId)),
    async updatePriceBook({ key: by, body, accountId }) {
      await changePrices(deps, by, { settings: settingsOf(body), facts: factsOf(body) });
      return bookRead(deps.catalog, await readUnpricedGpus(deps, accountId));
    },
    async listPriceChanges({ accountId: by, query: { before, limit = 100 } }) {
      const request = { by, before: before === undefined ? null : Number(before), limit };
      return (await readPriceChanges(deps, request)).map(changeRead);
    },
  });
}

const wireName = (price: keyof GpuPrices) => `${price}Price` as const;

function settingsOf({ gpuTypes = [], cpuFlavors = [], storage = {}, ...rest }: PriceBookUpdate) {
  rest satisfies Record<string, never>;
  const settings: PriceSetting[] = [];
  const add = (name: PriceName, amount: number | null | undefined, path: string) => {
    if (amount !== undefined) settings.push({ ...name, micros: priceMicros(amount, path) });
  };
  for (const [n, { id, ...prices }] of gpuTypes.entries()) {
    for (const price of gpuPrices) {
      const wire = wireName(price);
      add({ kind: "gpuType", id, price }, prices[wire], `gpuTypes[${n}].${wire}`);
    }
  }
  for (const [n, { id, pricePerVcpu }] of cpuFlavors.entries()) {
    const name = { kind: "cpuFlavor", id, price: "perVcpu" } as const;
    add(name, pricePerVcpu, `cpuFlavors[${n}].pricePerVcpu`);
  }
  for (const price of storagePrices) {
    add({ kind: "storage", id: "", price }, storage[price], `storage.${price}`);
  }
  return settings;
}

function factsOf({ gpuTypes = [] }: PriceBookUpdate): PriceUpdate["facts"] {
  return gpuTypes.flatMap(({ id, displayName, memoryInGb }) => {
    const facts = {
      ...(displayName !== undefined && { displayName }),
      ...(memoryInGb !== undefined && { memoryInGb }),
    };
    return Object.keys(facts).length > 0 ? [{ id, ...facts }] : [];
  });
}

function priceMicros(amount: number | null, path: string): number | null {
  if (amount === null) return null;
  const micros = Math.round(amount * MICROS_PER_DOLLAR);
  if (micros / MICROS_PER_DOLLAR === amount) return micros;
  const detail = `"${path}" must be an amount of dollars with at most 6 decimals; it is ${amount}.`;
  throw new Fault("invalid_body", { detail });
}

function bookRead(catalog: PricedCatalog, unpriced: readonly FleetGpus[] | null): PriceBook {
  const { gpuTypes, cpuFlavors, storage, ownTypes } = catalog;
  const isOwn = (id: string) => ownTypes.some((own) => own.id === id);
  return {
    gpuTypes: gpuTypes.map(({ id, displayName, memoryInGb, prices }) => {
      const read = gpuPrices.map((price) => [wireName(price), dollarsOrNull(prices[price])]);
      const source = isOwn(id) ? "priceBook" : "catalog";
      return { id, displayName, memoryInGb, source, ...Object.fromEntries(read) };
    }),
    ...(unpriced && { unpricedGpus: unpriced.map(unpricedRead) }),
    cpuFlavors: cpuFlavors.map(({ id, pricePerVcpu }) => {
      return { id, pricePerVcpu: dollars(pricePerVcpu) };
    }),
    storage: storageRead(storage),
  };
}

function unpricedRead({ memoryInGb, machines, ...type }: FleetGpus) {
  return { ...type, ...(memoryInGb !== null && { memoryInGb }), machineIds: machines };
}

type StoredChange = Awaited<ReturnType<typeof readPriceChanges>>[number];

function changeRead({
  seq,
  at,
  keyId,
  kind,
  id,
  price,
  from,
  to,
  reset,
}: StoredChange): PriceChange {
  return {
    id: String(seq),
    at: instant(at),
    keyId,
    ...(kind === "gpuType" && { gpuTypeId: id }),
    ...(kind === "cpuFlavor" && { cpuFlavorId: id }),
    price: kind === "gpuType" ? wireName(price) : kind === "cpuFlavor" ? "pricePerVcpu" : price,
    from: dollarsOrNull(from),
    to: dollarsOrNull(to),
    reset,
  };
}

const dollarsOrNull = (micros: number | null) => (micros === null ? null : dollars(micros));
