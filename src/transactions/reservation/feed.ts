// Replaces and reads the calendar feeds of reservations.

import { Fault } from "../../domain/fault.ts";
import type { Owned } from "../../domain/member/member.ts";
import type { CalendarReservation } from "../../domain/reservation/calendar.ts";
import { CANCELLATIONS_KEPT } from "../../domain/reservation/reservation.ts";
import { holdAccount, isDisabled } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  deleteFeed,
  type FeedOwner,
  findFeedByHash,
  insertFeed,
  type ReservationFeed,
} from "../../store/reservation/feed.ts";
import { cancelledReservations, latestReservations } from "../../store/reservation/reservation.ts";
import { requireMembership } from "../member/require-membership.ts";
import { withProjects } from "./projects.ts";

/** `hash` is the hash of the new token. The previous address ends. */
export function* replaceFeed(
  { accountId, owner, createdAt }: Owned & Pick<ReservationFeed, "accountId" | "createdAt">,
  hash: string,
): Tx<ReservationFeed | Fault> {
  const refusal = yield* requireMembership({ ...(owner && { owner }) });
  if (refusal) return refusal;
  yield* holdAccount(accountId);
  const feed = { accountId, ownerId: owner?.id ?? null, createdAt };
  yield* deleteFeed(feed);
  yield* insertFeed(feed, hash);
  return feed;
}

export function* revokeFeed(owner: FeedOwner): Tx<Fault | null> {
  return (yield* deleteFeed(owner)) ? null : new Fault("reservation_feed_not_found");
}

interface FeedSpan {
  /** Reservations that ended since, and all that have not; the latest `limit`. */
  endedSince: number;
  cancelledSince: number;
  limit: number;
}

/** Undefined if the token is not valid. */
export function* readFeedReservations(
  hash: string,
  { endedSince, cancelledSince, limit }: FeedSpan,
): Tx<CalendarReservation[] | undefined> {
  const feed = yield* findFeedByHash(hash);
  if (!feed || (yield* isDisabled(feed.accountId))) return undefined;
  const { accountId } = feed;
  return yield* withProjects(accountId, [
    ...(yield* latestReservations(accountId, endedSince, limit)),
    ...(yield* cancelledReservations(accountId, cancelledSince, CANCELLATIONS_KEPT)),
  ]);
}
