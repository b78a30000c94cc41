// Fair shares of the machines between accounts: dominant resource fairness, as in Mesos and YARN. An account's share is
// the largest part that it holds of all GPUs, of all vCPUs or of all memory. A share of a GPU counts as its part of one. Pure.

import { wholeGpus } from "../gpu-share/share-name.ts";
import type { Amounts } from "./cover.ts";
import type { Tenant } from "./evict.ts";

const KINDS = ["gpus", "vcpus", "memoryMb"] as const;
export type SharedResource = (typeof KINDS)[number];
export type Held = Readonly<Pick<Amounts, SharedResource>>;

export const nothingHeld: Held = { gpus: 0, vcpus: 0, memoryMb: 0 };

export function addHeld(a: Held, b: Held): Held {
  return { gpus: a.gpus + b.gpus, vcpus: a.vcpus + b.vcpus, memoryMb: a.memoryMb + b.memoryMb };
}

type Resources = Pick<Tenant, "gpuTypeId" | "gpus" | "vcpus" | "memoryMb">;

export function heldByWorker({ gpuTypeId, gpus, vcpus, memoryMb }: Resources): Held {
  return { gpus: wholeGpus(gpuTypeId, gpus.length), vcpus, memoryMb };
}

/** From 0 to 1; a resource that no machine has does not count. */
export function dominantShare(held: Held, total: Held): number {
  return Math.max(...KINDS.map((kind) => partOf(held[kind], total[kind])));
}

/** Rounded, so that three shares of a third are one GPU in whatever order they are added. */
const partOf = (held: number, total: number): number =>
  total > 0 ? Math.round((held / total) * 1e9) / 1e9 : 0;

/** The resource that makes an account's share, with what the account holds of it; null without machines. */
export interface DominantResource {
  resource: SharedResource;
  held: number;
  total: number;
}

export function dominantResource(held: Held, total: Held): DominantResource | null {
  const offered = KINDS.filter((kind) => total[kind] > 0);
  const share = dominantShare(held, total);
  const resource = offered.find((kind) => partOf(held[kind], total[kind]) === share);
  const shown = (amount: number) => Math.round(amount * 100) / 100;
  return resource ? { resource, held: shown(held[resource]), total: shown(total[resource]) } : null;
}

/** An endpoint that is to start a worker. */
export interface Contender {
  accountId: string;
  endpointId: string;
  /** Since when its oldest job has waited; null if none waits. */
  waitingSince: number | null;
}

type ShareOf = (accountId: string) => number;

/** The account with the smallest share; within it, the endpoint that has waited longest. */
export function firstInTurn<C extends Contender>(
  contenders: readonly C[],
  shareOf: ShareOf,
): C | null {
  return contenders.toSorted(byTurn(shareOf))[0] ?? null;
}

/** The contenders whose turn comes before the endpoint's. */
export function aheadInTurn<C extends Contender>(
  endpoint: Contender,
  contenders: readonly C[],
  shareOf: ShareOf,
): C[] {
  const order = byTurn(shareOf);
  return contenders.filter((each) => order(each, endpoint) < 0);
}

function byTurn(shareOf: ShareOf): (a: Contender, b: Contender) => number {
  const since = ({ waitingSince }: Contender) => waitingSince ?? Number.MAX_SAFE_INTEGER;
  return (a, b) =>
    shareOf(a.accountId) - shareOf(b.accountId) ||
    since(a) - since(b) ||
    (a.endpointId < b.endpointId ? -1 : 1);
}
