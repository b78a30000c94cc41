// /v1/price-book.

import type { FastifyInstance } from "fastify";
import {
  type PriceBook,
  type PriceBookUpdate,
  type PriceChange,
  priceBookOperations,
} from "../../contract/rest-v1/price-book.ts";
import type { Catalog, GpuPrices } from "../../domain/catalog/catalog.ts";
import {
  gpuPrices,
  type PriceName,
  type PriceSetting,
  storagePrices,
} from "../../domain/catalog/prices.ts";
import { Fault } from "../../domain/fault.ts";
import { changePrices } from "../../flows/price-book/change.ts";
import { readPriceChanges } from "../../flows/price-book/read.ts";
import type { PriceChange as Kept } from "../../store/price-book/book.ts";
import { storageRead } from "./catalog.ts";
import type { RestDeps } from "./deps.ts";
import { dollars } from "./dollars.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

const PER_DOLLAR = 1_000_000;

export function priceBookRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, priceBookOperations, {
    getPriceBook: async () => bookRead(deps.catalog),
    async updatePriceBook({ key: by, body }) {
      await changePrices(deps, by, settingsOf(body));
      return bookRead(deps.catalog);
    },
    async listPriceChanges({ accountId: by, query: { before, limit = 100 } }) {
      const wish = { by, before: before === undefined ? null : Number(before), limit };
      return (await readPriceChanges(deps, wish)).map(changeRead);
    },
  });
}

const wireName = (price: keyof GpuPrices) => `${price}Price` as const;

function settingsOf({ gpuTypes = [], cpuFlavors = [], storage = {} }: PriceBookUpdate) {
  const found: PriceSetting[] = [];
  const add = (name: PriceName, given: number | null | undefined, where: string) => {
    if (given !== undefined) found.push({ ...name, micros: microsIn(given, where) });
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
  return found;
}

function microsIn(given: number | null, where: string): number | null {
  if (given === null) return null;
  const micros = Math.round(given * PER_DOLLAR);
  if (micros / PER_DOLLAR === given) return micros;
  const detail = `"${where}" must be an amount of dollars to the millionth; it is ${given}.`;
  throw new Fault("invalid_body", { detail });
}

function bookRead({ gpuTypes, cpuFlavors, storage }: Catalog): PriceBook {
  return {
    gpuTypes: gpuTypes.map(({ id, prices }) => {
      const read = gpuPrices.map((price) => [wireName(price), orNull(prices[price])]);
      return { id, ...Object.fromEntries(read) };
    }),
    cpuFlavors: cpuFlavors.map(({ id, pricePerVcpu }) => {
      return { id, pricePerVcpu: dollars(pricePerVcpu) };
    }),
    storage: storageRead(storage),
  };
}

function changeRead({ seq, at, keyId, kind, id, price, from, to, reset }: Kept): PriceChange {
  return {
    id: String(seq),
    at: instant(at),
    keyId,
    ...(kind === "gpuType" && { gpuTypeId: id }),
    ...(kind === "cpuFlavor" && { cpuFlavorId: id }),
    price: kind === "gpuType" ? wireName(price) : kind === "cpuFlavor" ? "pricePerVcpu" : price,
    from: orNull(from),
    to: orNull(to),
    reset,
  };
}

const orNull = (micros: number | null) => (micros === null ? null : dollars(micros));
