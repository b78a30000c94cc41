// Quotes a network volume before it is created.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Quote } from "../../domain/money/quote.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import { readPrices } from "../../store/price-book/lock.ts";
import { maySpend, type Payer } from "../../transactions/money/spend.ts";
import { requireDataCenter } from "../network-volume/create.ts";
import type { PodDeps } from "../pod/create.ts";
import { refusedBy } from "./refused.ts";

type VolumePayer = Omit<Payer, "keyId">;

export async function quoteVolume(
  { store, clock, catalog }: Pick<PodDeps, "store" | "clock" | "catalog">,
  { size, dataCenterId, ...payer }: VolumePayer & { size: number; dataCenterId: string },
): Promise<Quote> {
  requireDataCenter(catalog, dataCenterId.toUpperCase());
  const { rate, refusal } = await store.read(rateAt, catalog, payer, size, clock.now());
  return {
    kind: "networkVolume",
    passedOver: null,
    refused: refusedBy(refusal),
    gpuTypeId: null,
    gpuCount: 0,
    cpuFlavorId: null,
    compute: 0,
    paidAhead: 0,
    running: rate,
    stopped: 0,
    workers: null,
    alternatives: [],
  };
}

function* rateAt(catalog: Catalog, payer: VolumePayer, size: number, now: number) {
  yield* readPrices(catalog);
  const rate = networkVolumeRate(catalog, size);
  const adds = { volumeGb: size, rate };
  return { rate, refusal: yield* maySpend({ ...payer, keyId: "" }, { rate, adds }, now) };
}
