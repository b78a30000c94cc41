// Routes of /v1/price-book.

import type { FastifyInstance } from "fastify";
import {
  type PriceBook,
  type PriceBookUpdate,
  type PriceChange,
  priceBookOperations,
} from "../../../contract/rest-v1/billing/price-book.ts";
import type { Catalog, GpuPrices } from "../../../domain/catalog/catalog.ts";
import {
  gpuPrices,
  type PriceName,
  type PriceSetting,
  storagePrices,
} from "../../../domain/catalog/prices.ts";
import { Fault } from "../../../domain/fault.ts";
import { changePrices, type PriceDeps } from "../../../flows/price-book/change.ts";
import { readPriceChanges } from "../../../flows/price-book/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { instant } from "../../management/serve/instant.ts";
import { serve } from "../../management/serve/serve.ts";
import { storageRead } from "../machine/catalog.ts";

const MICROS_PER_DOLLAR = 1_000_000;

export function priceBookRoutes(app: FastifyInstance, deps: PriceDeps): void {
  serve(app, priceBookOperations, {
    getPriceBook: async () => bookRead(deps.catalog),
    async updatePriceBook({ key: by, body }) {
      await changePrices(deps, by, settingsOf(body));
      return bookRead(deps.catalog);
    },
    async listPriceChanges({ accountId: by, query: { before, limit = 100 } }) {
      const request = { by, before: before === undefined ? null : Number(before), limit };
      return (await readPriceChanges(deps, request)).map(changeRead);
    },
  });
}

const wireName = (price: keyof GpuPrices) => `${price}Price` as const;

function settingsOf({ gpuTypes = [], cpuFlavors = [], storage = {} }: PriceBookUpdate) {
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

function priceMicros(amount: number | null, path: string): number | null {
  if (amount === null) return null;
  const micros = Math.round(amount * MICROS_PER_DOLLAR);
  if (micros / MICROS_PER_DOLLAR === amount) return micros;
  const detail = `"${path}" must be an amount of dollars with at most 6 decimals; it is ${amount}.`;
  throw new Fault("invalid_body", { detail });
}

function bookRead({ gpuTypes, cpuFlavors, storage }: Catalog): PriceBook {
  return {
    gpuTypes: gpuTypes.map(({ id, prices }) => {
      const read = gpuPrices.map((price) => [wireName(price), dollarsOrNull(prices[price])]);
      return { id, ...Object.fromEntries(read) };
    }),
    cpuFlavors: cpuFlavors.map(({ id, pricePerVcpu }) => {
      return { id, pricePerVcpu: dollars(pricePerVcpu) };
    }),
    storage: storageRead(storage),
  };
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
