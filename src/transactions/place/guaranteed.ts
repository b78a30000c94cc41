// What is guaranteed to projects, and what fills it.

import { faultyGpus } from "../../domain/gpu/gpu-health.ts";
import {
  type Claimed,
  entitledTypes,
  type Guarantee,
  type GuaranteeUse,
  guaranteeUses,
  type Stock,
} from "../../domain/guarantee/guarantee.ts";
import type { Place } from "../../domain/placement/place.ts";
import {
  type Asker,
  type Claim,
  leftFor,
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
  /** All machines. */
  everywhere: readonly Place[];
}

export function* claimedBy(
  guarantees: readonly Guarantee[],
  { reserved, heldBy, spot }: Kept,
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
    const held = sum([...heldBy(accountId, gpuTypeId)], ([id, count]) =>
      id !== null && members.has(id) ? count : 0,
    );
    const lent = sum(spot, (each) => {
      const isIts = each.gpuTypeId === gpuTypeId && members.has(each.ownerId ?? "");
      return isIts ? each.gpus.length : 0;
    });
    const own = reserved.filter(
      (claim) => claim.accountId === accountId && claim.members?.isSubsetOf(members),
    );
    const count = withheldFrom(NONE, own, heldBy).get(gpuTypeId)?.count ?? 0;
    const used = Math.max(0, held - lent);
    return [{ ...guarantee, project: name, members, used, reserved: count }];
  });
}

const NONE: Asker = { accountId: "", memberId: null };

/** The GPUs of a type that spot Pods hold on open machines. */
export function lentFrom({ spot, everywhere }: Pick<Kept, "spot" | "everywhere">) {
  const open = openOf(everywhere);
  return (gpuTypeId: string): number =>
    sum(spot, (tenant) => {
      const place = tenant.gpuTypeId === gpuTypeId ? open.get(tenant.machine) : undefined;
      if (!place) return 0;
      const faulty = faultyGpus(place.inventory);
      return tenant.gpus.filter((gpu) => !faulty.has(gpu)).length;
    });
}

const openOf = (everywhere: readonly Place[]) =>
  new Map(
    everywhere.filter(({ closed }) => closed === null).map((place) => [place.machine, place]),
  );

/** As it is for a caller, for whom what is reserved for others is not free. */
export function stockFor(
  asker: Asker,
  { reserved, heldBy, spot, everywhere }: Kept,
): (gpuTypeId: string) => Stock {
  const withheld = withheldFrom(asker, reserved, heldBy);
  const lentOf = lentFrom({ spot, everywhere });
  return (gpuTypeId) => {
    const gpus = [...openOf(everywhere).values()].flatMap(({ free }) =>
      free.gpus.filter(({ typeId }) => typeId === gpuTypeId),
    );
    const free = sum(gpus, ({ indices }) => indices.length);
    const its = withheld.get(gpuTypeId);
    return { free: its ? leftFor(free, its) : free, lent: lentOf(gpuTypeId) };
  };
}

const sum = <Each>(all: readonly Each[], of: (each: Each) => number) =>
  all.reduce((total, each) => total + of(each), 0);

/** Reads nothing more if there are no guarantees. */
export function* readGuarantees(
  since: number,
  at: number,
): Tx<{ claims: Claimed[]; uses: GuaranteeUse[] }> {
  const guarantees = yield* allGuarantees();
  if (guarantees.length === 0) return { claims: [], uses: [] };
  const everywhere = yield* placesOf({ since, except: null, at, machine: null });
  const spot = yield* spotPods(null);
  const active = yield* activeReservations(at);
  const reserved = yield* reservationClaims(active);
  const heldBy = yield* heldByAccounts([...guarantees, ...active]);
  const others = { reserved, heldBy, spot, everywhere };
  const claims = yield* claimedBy(guarantees, others);
  return { claims, uses: guaranteeUses(claims, stockFor(NONE, others)) };
}

/** The GPU types of which a member may take some before others that wait, because they are guaranteed to the member's project. */
export function* readEntitled(since: number, at: number) {
  const { claims } = yield* readGuarantees(since, at);
  return (
    member: { accountId: string; projectId: string | null },
    gpuCount: number,
  ): ReadonlySet<string> => entitledTypes(claims, member, gpuCount);
}
