// Routes of /v1/events.

import type { FastifyInstance } from "fastify";
import type { Clock } from "../../../base/clock.ts";
import { eventOperations } from "../../../contract/rest-v1/observe/event.ts";
import { areaOf, type Kind } from "../../../domain/kind.ts";
import { type Role, roleCovers, seesOwnOnly } from "../../../domain/member/roles.ts";
import type { Changed, Changes } from "../../../flows/change/changes.ts";
import { sendEvents } from "../../http/event-stream.ts";
import type { StreamDeps } from "../../management/deps.ts";
import { streamSignal } from "../../management/observe/stream.ts";
import { serveOperations } from "../../management/serve/serve.ts";

interface Deps extends StreamDeps {
  clock: Clock;
  changes: Changes;
}

export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, eventOperations, {
    async followEvents({ accountId, key, reply }) {
      const signal = streamSignal(deps, reply);
      const changes = deps.changes.follow(accountId, signal);
      const role = key.member?.role ?? null;
      return sendEvents(reply, events(changes, role), { clock: deps.clock, signal });
    },
  });
}

async function* events(
  changes: AsyncIterable<Changed | null>,
  role: Role | null,
): AsyncGenerator<string> {
  for await (const changed of changes) {
    if (changed === null) yield RESYNC_EVENT;
    else yield* eventOf(changed, role);
  }
}

/** Yields no event if the reader's role may not read any of the changed kinds. */
function* eventOf(changed: Changed, role: Role | null): Generator<string> {
  const readable = Object.entries(changed).filter(([kind]) =>
    roleCovers(role, areaOf[kind as Kind], "read"),
  );
  // Ids of what others own are not for a role that sees only its own: it learns that a kind has changed.
  const shown = seesOwnOnly(role) ? readable.map(([kind]) => [kind, null] as const) : readable;
  const data = JSON.stringify(Object.fromEntries(shown));
  if (readable.length > 0) yield `event: change\ndata: ${data}\n\n`;
}

const RESYNC_EVENT = "event: again\ndata: {}\n\n";
