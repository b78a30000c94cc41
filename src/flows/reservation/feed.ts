// The calendar feed of reservations: a member's own address, with a token that reads nothing else.

import { hashSecret } from "../../base/ids.ts";
import type { Creator } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { reservationCalendar } from "../../domain/reservation/calendar.ts";
import { CANCELLATION_KEPT_MS, RESERVATION_KEPT_MS } from "../../domain/reservation/reservation.ts";
import { type FeedOwner, findFeed, type ReservationFeed } from "../../store/reservation/feed.ts";
import {
  readFeedReservations,
  replaceFeed,
  revokeFeed,
} from "../../transactions/reservation/feed.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** Calendar programs read some thousands of events at most. */
const MAX_EVENTS = 1_000;

export type FeedCaller = Pick<Creator, "accountId" | "owner">;

const ownerOf = ({ accountId, owner }: FeedCaller): FeedOwner => {
  return { accountId, ownerId: owner?.id ?? null };
};

/** The token is returned once. */
export async function replaceReservationFeed(
  { store, clock, ids }: FlowDeps,
  { accountId, owner }: FeedCaller,
): Promise<{ feed: ReservationFeed; token: string }> {
  const token = ids.secret("fhc_");
  const request = { accountId, ...(owner && { owner }), createdAt: clock.now() };
  const feed = await throwRefusal(store.write(replaceFeed, request, hashSecret(token)));
  return { feed, token };
}

export async function readReservationFeed(
  { store }: Pick<FlowDeps, "store">,
  caller: FeedCaller,
): Promise<ReservationFeed> {
  const feed = await store.read(findFeed, ownerOf(caller));
  if (!feed) throw new Fault("reservation_feed_not_found");
  return feed;
}

export async function deleteReservationFeed(
  { store }: Pick<FlowDeps, "store">,
  caller: FeedCaller,
): Promise<void> {
  await throwRefusal(store.write(revokeFeed, ownerOf(caller)));
}

export async function readReservationCalendar(
  { store, clock }: Pick<FlowDeps, "store" | "clock">,
  token: string,
): Promise<string> {
  const now = clock.now();
  const reservations = await store.read(readFeedReservations, hashSecret(token), {
    endedSince: now - RESERVATION_KEPT_MS,
    cancelledSince: now - CANCELLATION_KEPT_MS,
    limit: MAX_EVENTS,
  });
  if (!reservations) throw new Fault("reservation_feed_not_found");
  return reservationCalendar(reservations);
}
