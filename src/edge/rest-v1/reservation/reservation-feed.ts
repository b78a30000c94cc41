// Routes of /v1/reservation-feed, and the feed itself.

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { reservationFeedOperations } from "../../../contract/rest-v1/account/reservation-feed.ts";
import { creatorOf } from "../../../domain/account.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import {
  deleteReservationFeed,
  readReservationCalendar,
  readReservationFeed,
  replaceReservationFeed,
} from "../../../flows/reservation/feed.ts";
import type { Addresses } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { originFor } from "../../management/serve/origin.ts";
import { serveOperations } from "../../management/serve/serve.ts";

type Deps = FlowDeps & Pick<Addresses, "publicUrl">;

export function reservationFeedRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, reservationFeedOperations, {
    async getReservationFeed({ key }) {
      const { createdAt } = await readReservationFeed(deps, creatorOf(key));
      return { createdAt: instant(createdAt) };
    },
    async replaceReservationFeed({ key, reply }) {
      const { feed, token } = await replaceReservationFeed(deps, creatorOf(key));
      const url = `${originFor(deps, reply.request)}/v1/reservations.ics?token=${token}`;
      return { url, createdAt: instant(feed.createdAt) };
    },
    async deleteReservationFeed({ key }) {
      await deleteReservationFeed(deps, creatorOf(key));
    },
    readReservationCalendar: async ({ query: { token = "" }, reply }) =>
      sendCalendar(reply, await readReservationCalendar(deps, token)),
  });
}

/** Calendar programs ask every few minutes to hours, and get the body only if it changed. */
function sendCalendar(reply: FastifyReply, text: string): FastifyReply {
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 20)}"`;
  reply.header("etag", etag).header("cache-control", "private, no-cache");
  const tags = reply.request.headers["if-none-match"]?.split(",") ?? [];
  const isCurrent = tags.some((each) => each.trim().replace(/^W\//, "") === etag);
  if (isCurrent) return reply.code(304).send();
  return reply.type("text/calendar; charset=utf-8").send(text);
}
