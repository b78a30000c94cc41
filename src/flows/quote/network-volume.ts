// What a network volume would cost, before it is made.

import { Fault } from "../../domain/fault.ts";
import type { Quote } from "../../domain/money/quote.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { Verb } from "../../store/statement.ts";
import { unpaid } from "../billing/unpaid.ts";
import { notACenter } from "../network-volume/create.ts";
import type { PodDeps } from "../pod/create.ts";
import { refusedBy } from "./refused.ts";

export async function quoteVolume(
  { store, clock, catalog }: Pick<PodDeps, "store" | "clock" | "catalog">,
  { accountId, size, dataCenterId }: { accountId: string; size: number; dataCenterId: string },
): Promise<Quote> {
  const stranger = notACenter(catalog, dataCenterId.toUpperCase());
  if (stranger) throw new Fault("invalid_body", { detail: stranger });
  const rate = networkVolumeRate(catalog, size);
  const refusal = await store.read(refused, accountId, rate, clock.now());
  return {
    kind: "networkVolume",
    passedOver: null,
    refused: refusedBy(refusal),
    ...{ gpuTypeId: null, gpuCount: 0, cpuFlavorId: null },
    ...{ compute: 0, paidAhead: 0, running: rate, stopped: 0, workers: null, alternatives: [] },
  };
}

function* refused(accountId: string, rate: number, now: number): Verb<Fault | null> {
  return yield* unpaid({ accountId, keyId: "" }, rate, now);
}
