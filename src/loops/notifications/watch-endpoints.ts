// Compares endpoints with the incidents that rules have announced: jobs that fail too often, and workers
// that crash in a loop.

import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/units.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import {
  crashLoop,
  crashLoopChange,
  type IncidentKind,
  jobsFailing,
} from "../../domain/notification/endpoint-incidents.ts";
import type { AccountEvent } from "../../domain/notification/event.ts";
import { failureChange, type IncidentChange } from "../../domain/notification/failure-rate.ts";
import { type NotificationRule, selectsId } from "../../domain/notification/rule.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { type Incident, openIncidents } from "../../store/notification/incident.ts";
import { allEnabledRules } from "../../store/notification/rule.ts";
import { beginIncident, endIncident } from "../../transactions/notification/incident.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";
import { EndpointStates } from "./endpoint-states.ts";

export interface WatchDeps {
  store: Store;
  clock: Clock;
}

const kinds: readonly IncidentKind[] = ["jobs_failing", "worker_crash_loop"];

export function watchEndpointsLoop({ store, clock }: WatchDeps): Loop {
  return {
    name: "watch-endpoints",
    shared: true,
    periodMs: 10_000,
    restMs: 1_000,
    topics: [topic.fleet],
    async run() {
      const now = clock.now();
      const states = new EndpointStates(store, now);
      const each = new Each();
      for (const rule of await store.read(allEnabledRules)) {
        await each.try(() => watch(store, states, rule, now));
      }
      return each.end(null);
    },
  };
}

async function watch(
  store: Store,
  states: EndpointStates,
  rule: NotificationRule,
  now: number,
): Promise<void> {
  const open = await store.read(openIncidents, rule.id);
  const watched = kinds.filter((kind) => rule.events.includes(kind));
  if (watched.length === 0 && open.length === 0) return;
  const all = await states.endpointsOf(rule.accountId);
  const endpoints = all.filter(({ id }) => selectsId(rule.endpointIds, id));
  for (const kind of watched) {
    for (const endpoint of endpoints) {
      const incident: Incident = { ruleId: rule.id, kind, resourceId: endpoint.id };
      const isOpen = open.some((each) => each.kind === kind && each.resourceId === endpoint.id);
      const { change, event } = await compare[kind](states, { rule, endpoint, isOpen, now });
      if (change === "begin") await store.write(beginIncident, incident, event);
      if (change === "end") await store.write(endIncident, incident, event);
    }
  }
  const isWatched = ({ kind, resourceId }: Incident) =>
    watched.includes(kind) && endpoints.some(({ id }) => id === resourceId);
  for (const incident of open) {
    if (!isWatched(incident)) await store.write(endIncident, incident, null);
  }
}

interface Watched {
  rule: NotificationRule;
  endpoint: Endpoint;
  isOpen: boolean;
  now: number;
}

interface Comparison {
  change: IncidentChange;
  /** Announces the change. */
  event: AccountEvent;
}

const compare: Record<
  IncidentKind,
  (states: EndpointStates, watched: Watched) => Promise<Comparison>
> = {
  async jobs_failing(states, { rule: { failures, accountId }, endpoint, isOpen, now: at }) {
    const { windowMinutes } = failures;
    const jobs = await states.endedJobs(accountId, endpoint.id, windowMinutes * MINUTE_MS);
    const change = failureChange(isOpen, jobs, failures);
    const fact = { endpoint, at, resolved: change === "end" };
    return { change, event: jobsFailing(fact, jobs, windowMinutes) };
  },
  async worker_crash_loop(states, { endpoint, isOpen, now: at }) {
    const { verdict, tries, worker } = await states.crashes(endpoint);
    const change = crashLoopChange(isOpen, verdict);
    return {
      change,
      event: crashLoop({ endpoint, at, resolved: change === "end" }, tries, worker),
    };
  },
};
