// Routes of /v1/clock.

import type { FastifyInstance } from "fastify";
import { type Clock, clockOperations } from "../../../contract/rest-v1/testing/clock.ts";
import { type ClockDeps, moveClock } from "../../../flows/clock/move-clock.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function clockRoutes(app: FastifyInstance, deps: ClockDeps): void {
  serveOperations(app, clockOperations, {
    getClock: async () => read(deps),
    async moveClock({ accountId, body: { workers = "kept", ...move } }) {
      await moveClock(deps, accountId, { ...move, silent: workers === "silent" });
      return read(deps);
    },
  });
}

function read({ clock, virtualTime }: ClockDeps): Clock {
  return { now: instant(clock.now()), mode: virtualTime ? "virtual" : "system" };
}
