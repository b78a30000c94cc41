// What is guaranteed to projects, and what fills it.

import { faultyGpus } from "../../domain/gpu/gpu-health.ts";
import {
  type Claimed,
  entitledTypes,
  type Guarantee,
  type GuaranteeUse,
  guaranteeUses,
} from "../../domain/guarantee/guarantee.ts";
import { freeGpus, type Place } from "../../domain/placement/place.ts";
import {
  type ClaimUse,
  type LendingStock,
  reservationUses,
  stockOfUses,
} from "../../domain/reservation/lent.ts";
import {
  type Claim,
  leftFor,
  NO_ASKER,
  type Withheld,
  withheldFrom,
} from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees } from "../../store/guarantee/guarantee.ts";
import { type SpotTenant, spotPods } from "../../store/pod/resources.ts";
import { listProjects } from "../../store/project/project.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import { type HeldBy, heldByAccounts, reservationClaims } from "./claims.ts";
import { placesOf } from "./places.ts";

/** What is read to tell what others keep. */
export interface Kept {
  reserved: readonly Claim[];
  heldBy: HeldBy;
  spot: readonly SpotTenant[];
}

export function* claimedBy(
  guarantees: readonly Guarantee[],
  { reserved, heldBy }: Pick<Kept, "reserved" | "heldBy">,
  uses: readonly ClaimUse[] | null = null,
): Tx<Claimed[]> {
  const projects = new Map<string, { name: string; members: ReadonlySet<string> }>();
  for (const accountId of new Set(guarantees.map((each) => each.accountId))) {
    for (const { id, name, members } of yield* listProjects(accountId)) {
      projects.set(id, { name, members: new Set(members.map((member) => member.id)) });
    }
  }
  return guarantees.flatMap((guarantee) => {
    const { accountId, projectId, gpuTypeId } = guarantee;
    const project = projects.get(projectId);
    if (!project) return [];
    const { name, members } = project;
    const used = sum([...heldBy(accountId, gpuTypeId)], ([id, count]) =>
      id !== null && members.has(id) ? count : 0,
    );
    // A project without members holds none of what is reserved for another one.
    const own = reserved.filter((claim) =>
      claim.projectId === null
        ? claim.accountId === accountId && claim.members?.isSubsetOf(members)
        : claim.projectId === projectId,
    );
    const its = own.filter((claim) => claim.gpuTypeId === gpuTypeId);
    const count = withheldFrom(NO_ASKER, its, heldBy).get(gpuTypeId)?.count ?? 0;
    const itsUses = uses?.filter(({ claim }) => its.includes(claim));
    return [
      {
        ...guarantee,
        project: name,
        members,
        used,
        reserved: count,
        ...(itsUses && { reservedStock: stockOfUses(itsUses) }),
      },
    ];
  });
}

/** The GPUs of a type that spot Pods hold on open machines. */
export function lentFrom(spot: readonly SpotTenant[], everywhere: readonly Place[]) {
  const open = new Map(openOf(everywhere).map((place) => [place.machine, place]));
  return (gpuTypeId: string): number =>
    sum(spot, (tenant) => {
      const place = tenant.gpuTypeId === gpuTypeId ? open.get(tenant.machine) : undefined;
      if (!place) return 0;
      const faulty = faultyGpus(place.inventory);
      return tenant.gpus.filter((gpu) => !faulty.has(gpu)).length;
    });
}

const openOf = (everywhere: readonly Place[]) => everywhere.filter(({ closed }) => closed === null);

/** The stock without anything that is kept. */
export function stockOf(
  everywhere: readonly Place[],
  lentOf: (gpuTypeId: string) => number,
): (gpuTypeId: string) => LendingStock {
  const open = openOf(everywhere);
  return (gpuTypeId) => ({ free: freeGpus(open, gpuTypeId), lent: lentOf(gpuTypeId) });
}

/** The stock as a caller sees it: what is withheld from the caller is not free, and what it lacks is not to be had from spot Pods. */
export function stockFor(
  withheld: ReadonlyMap<string, Withheld>,
  everywhere: readonly Place[],
  lentOf: (gpuTypeId: string) => number,
): (gpuTypeId: string) => LendingStock {
  const whole = stockOf(everywhere, lentOf);
  return (gpuTypeId) => {
    const { free, lent } = whole(gpuTypeId);
    const its = withheld.get(gpuTypeId);
    const unreserved = its ? leftFor(free, its) : free;
    return { free: Math.max(0, unreserved), lent: lent + Math.min(0, unreserved) };
  };
}

const sum = <Each>(all: readonly Each[], of: (each: Each) => number) =>
  all.reduce((total, each) => total + of(each), 0);

function* readKept(guarantees: readonly Guarantee[], at: number): Tx<Kept> {
  const spot = yield* spotPods(null);
  const active = yield* activeReservations(at);
  const reserved = yield* reservationClaims(active);
  return { spot, reserved, heldBy: yield* heldByAccounts([...guarantees, ...active], spot) };
}

/** Reads nothing more if there are no guarantees. */
export function* readClaimed(at: number): Tx<Claimed[]> {
  const guarantees = yield* allGuarantees();
  if (guarantees.length === 0) return [];
  return yield* claimedBy(guarantees, yield* readKept(guarantees, at));
}

/** Reads nothing more if there are no guarantees. */
export function* readGuaranteeUses(since: number, at: number): Tx<GuaranteeUse[]> {
  const guarantees = yield* allGuarantees();
  if (guarantees.length === 0) return [];
  const everywhere = yield* placesOf({ since, except: null, at, machine: null });
  const { reserved, heldBy, spot } = yield* readKept(guarantees, at);
  const lentOf = lentFrom(spot, everywhere);
  const uses = reservationUses(reserved, heldBy, stockOf(everywhere, lentOf));
  const claims = yield* claimedBy(guarantees, { reserved, heldBy }, uses);
  const withheld = withheldFrom(NO_ASKER, reserved, heldBy);
  return guaranteeUses(claims, stockFor(withheld, everywhere, lentOf));
}

/** The GPU types of which a member may take some before others that wait, because they are guaranteed to the member's project. */
export function* readEntitled(at: number) {
  const claims = yield* readClaimed(at);
  return (
    member: { accountId: string; projectId: string | null },
    gpuCount: number,
  ): ReadonlySet<string> => entitledTypes(claims, member, gpuCount);
}
