// Reading the reservations of an account.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import { type Role, roleCovers, seesOwnOnly } from "../../domain/member/roles.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { KeptGpus } from "../../domain/reservation/lent.ts";
import type { ReservationLimits } from "../../domain/reservation/limits.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import { scheduledRelease } from "../../domain/reservation/unused.ts";
import type { ListFilter } from "../../store/engine/row/selection.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { SpotTenant } from "../../store/pod/resources.ts";
import {
  findReservation,
  listReservations,
  type ReservationFilter,
} from "../../store/reservation/reservation.ts";
import { type Instants, readLent } from "../../transactions/place/lent.ts";
import { withProjects } from "../../transactions/reservation/projects.ts";

/** A spot Pod on GPUs of the type: it may be interrupted when the holder needs a GPU that is lent. */
export interface BorrowingPod {
  pod: Pick<SpotTenant, "id" | "name">;
  gpuCount: number;
}

export interface ReservationView extends Reservation {
  active: boolean;
  /** When it is released unless it is used; null while it is used, or if none is released. */
  releasesAt: number | null;
  project: MemberName | null;
  /** Null while it is not active. */
  use: KeptGpus | null;
  /** Those of the account that the caller may see, if a GPU is lent. */
  borrowers: BorrowingPod[];
}

interface Deps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  reservationLimits: Pick<ReservationLimits, "unusedMinutes">;
}

/** The member that reads, and its role; null for a key of the account. */
export interface ReservationReader {
  accountId: string;
  memberId: string | null;
  role: Role | null;
}

export type ReservationPosition = Pick<Reservation, "from" | "id">;

export interface ReservationPage extends ListFilter {
  /** Null for now. */
  from: number | null;
  /** Null for no end. */
  until: number | null;
  gpuTypeId: string | null;
  /** The position of the last reservation of the page before this one. It may be gone. */
  after: ReservationPosition | null;
  limit: number;
}

/** A page of those that overlap a time. */
export async function readReservations(
  { store, clock, heartbeatTiming, reservationLimits }: Deps,
  reader: ReservationReader,
  { from, until, ...filter }: ReservationPage,
): Promise<ReservationView[]> {
  const at = clock.now();
  const span = { from: from ?? at, until: until ?? Number.MAX_SAFE_INTEGER };
  const { unusedMinutes } = reservationLimits;
  const now = { at, since: at - heartbeatTiming.goneMs, unusedMinutes };
  const { accountId } = reader;
  return store.read(listViews, { ...filter, ...span, accountId }, reader, now);
}

interface Now extends Instants, Pick<ReservationLimits, "unusedMinutes"> {}

function* listViews(
  filter: ReservationFilter,
  reader: ReservationReader,
  now: Now,
): Tx<ReservationView[]> {
  return yield* viewsOf(yield* listReservations(filter), reader, now);
}

function* viewsOf(
  listed: readonly Reservation[],
  reader: ReservationReader,
  now: Now,
): Tx<ReservationView[]> {
  const { at, unusedMinutes } = now;
  const isActive = ({ from, until, releasedAt }: Reservation) =>
    releasedAt === null && from <= at && at < until;
  const reservations = yield* withProjects(reader.accountId, listed);
  const { lent, spot } = listed.some(isActive) ? yield* readLent(now) : { lent: [], spot: [] };
  const uses = new Map(lent.map(({ reservation: { id }, use }) => [id, use]));
  const visiblePods = spot.filter((each) => isVisible(each, reader));
  return reservations.map(({ project, ...each }) => {
    const stands = uses.get(each.id);
    const ofType = visiblePods.filter(({ gpuTypeId }) => gpuTypeId === each.gpuTypeId);
    return {
      ...each,
      active: isActive(each),
      releasesAt:
        unusedMinutes === null || !isActive(each) ? null : scheduledRelease(each, unusedMinutes),
      project: project && { id: project.id, name: project.name },
      use: stands ?? null,
      borrowers: stands && stands.lent > 0 ? ofType.map(borrowerOf) : [],
    };
  });
}

/** Pods are seen as in their list. */
const isVisible = ({ accountId, ownerId }: SpotTenant, reader: ReservationReader): boolean =>
  accountId === reader.accountId &&
  roleCovers(reader.role, "resources", "read") &&
  (!seesOwnOnly(reader.role) || ownerId === reader.memberId);

const borrowerOf = ({ id, name, gpus }: SpotTenant): BorrowingPod => {
  return { pod: { id, name }, gpuCount: gpus.length };
};

export async function readReservation(
  { store, clock, heartbeatTiming, reservationLimits }: Deps,
  reader: ReservationReader,
  id: string,
): Promise<ReservationView> {
  const at = clock.now();
  const { unusedMinutes } = reservationLimits;
  const now = { at, since: at - heartbeatTiming.goneMs, unusedMinutes };
  const view = await store.read(findView, id, reader, now);
  if (!view) throw new Fault("reservation_not_found", { id });
  return view;
}

function* findView(
  id: string,
  reader: ReservationReader,
  now: Now,
): Tx<ReservationView | undefined> {
  const stored = yield* findReservation(id);
  if (stored?.accountId !== reader.accountId) return undefined;
  return (yield* viewsOf([stored], reader, now))[0];
}
