// Quotes a network volume before it is created.

import type { Fault } from "../../domain/fault.ts";
import type { Quote } from "../../domain/money/quote.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { Tx } from "../../store/engine/statement.ts";
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
  const rate = networkVolumeRate(catalog, size);
  const refusal = await store.read(refusalAt, payer, { volumeGb: size, rate }, clock.now());
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

function* refusalAt(
  payer: VolumePayer,
  adds: { volumeGb: number; rate: number },
  now: number,
): Tx<Fault | null> {
  return yield* maySpend({ ...payer, keyId: "" }, { rate: adds.rate, adds }, now);
}
