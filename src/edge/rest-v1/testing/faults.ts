// Routes of /v1/faults.

import type { FastifyInstance } from "fastify";
import { type FaultState, faultOperations } from "../../../contract/rest-v1/testing/fault.ts";
import { troubles } from "../../../domain/trouble/catalog.ts";
import { listTroubles, type TroubleDeps, turnOff, turnOn } from "../../../flows/trouble/switch.ts";
import type { TroubleState } from "../../../flows/trouble/troubles.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function faultRoutes(app: FastifyInstance, deps: TroubleDeps): void {
  serveOperations(app, faultOperations, {
    listFaults: async ({ accountId }) => (await listTroubles(deps, accountId)).map(shown),
    turnFaultOn: async ({ accountId, body }) => shown(await turnOn(deps, accountId, body)),
    turnFaultOff: ({ accountId, params }) => turnOff(deps, accountId, params.faultName),
  });
}

function shown({ name, active, hits }: TroubleState): FaultState {
  const { sentence, seam, incident } = troubles[name];
  return {
    name,
    description: sentence,
    strikes: seam,
    incident,
    active: active && {
      rate: active.rate,
      match: active.match,
      since: instant(active.since),
      until: active.until === null ? null : instant(active.until),
    },
    hits,
  };
}
