// /v1/events.

import type { FastifyInstance } from "fastify";
import { eventOperations } from "../../contract/rest-v1/event.ts";
import { areaOf, type Kind } from "../../domain/kind.ts";
import { type Role, roleCovers } from "../../domain/member/roles.ts";
import type { Changed } from "../../flows/change/changes.ts";
import { sendEvents } from "../http/event-stream.ts";
import type { RestDeps } from "./deps.ts";
import { serve } from "./serve.ts";

export function eventRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, eventOperations, {
    async followEvents({ accountId, key, reply }) {
      const stopped = deps.polls.hold(reply.request, reply);
      const asked = AbortSignal.any([stopped, deps.admission.until(reply)]);
      const changes = deps.changes.follow(accountId, asked);
      const role = key.member?.role ?? null;
      return sendEvents(reply, events(changes, role), { clock: deps.clock, gone: asked });
    },
  });
}

async function* events(
  changes: AsyncIterable<Changed | null>,
  role: Role | null,
): AsyncGenerator<string> {
  yield AGAIN;
  for await (const changed of changes) {
    if (changed === null) yield AGAIN;
    else yield* eventOf(changed, role);
  }
}

/** None where nothing of it is the reader's to see. */
function* eventOf(changed: Changed, role: Role | null): Generator<string> {
  const seen = Object.entries(changed).filter(([kind]) =>
    roleCovers(role, areaOf[kind as Kind], "read"),
  );
  const data = JSON.stringify(Object.fromEntries(seen));
  if (seen.length > 0) yield `event: change\ndata: ${data}\n\n`;
}

const AGAIN = "event: again\ndata: {}\n\n";
