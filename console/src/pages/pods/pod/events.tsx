// The events of a Pod, newest first: requested changes and observations of its container.

import { useState } from "react";
import { api, type Schema } from "../../../api/client.ts";
import { Button } from "../../../components/control/button.tsx";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { RelativeTime } from "../../../components/data/relative-time.tsx";
import { Status, type Tone } from "../../../components/data/status.tsx";
import { Empty } from "../../../components/layout/empty.tsx";
import { SkeletonRows } from "../../../components/layout/skeleton.tsx";

type PodEvent = Schema["PodEvent"];

const PAGE = 100;
const MAX_EVENTS = 500;

export function PodEvents({ podId }: { podId: string }) {
  const [limit, setLimit] = useState(PAGE);
  const query = api.useQuery(
    "get",
    "/v1/pods/{podId}/events",
    { params: { path: { podId }, query: { limit } } },
    { placeholderData: (eventLabels) => eventLabels },
  );
  return (
    <QueryResult query={query} skeleton={<SkeletonRows rows={6} />}>
      {(events) =>
        events.length === 0 ? (
          <Empty title="No events yet">Starts, stops and restarts of this Pod appear here.</Empty>
        ) : (
          <>
            <ol
              aria-label="Events"
              className="divide-y divide-line rounded-card border border-line bg-surface"
            >
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </ol>
            {events.length === limit && limit < MAX_EVENTS && (
              <Button className="mt-3" onClick={() => setLimit(MAX_EVENTS)}>
                Load older events
              </Button>
            )}
          </>
        )
      }
    </QueryResult>
  );
}

function EventRow({ event }: { event: PodEvent }) {
  const [tone, label] = eventLabels[event.event];
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr_auto]">
      <div>
        <Status tone={tone}>{label}</Status>
      </div>
      <div className="col-span-2 row-start-2 min-w-0 wrap-anywhere sm:col-span-1 sm:col-start-2 sm:row-start-1 sm:pt-0.5">
        {event.message}
        <div className="text-xs text-muted">{describeActor(event)}</div>
      </div>
      <span className="text-right text-sm whitespace-nowrap text-muted tabular-nums sm:col-start-3 sm:pt-0.5">
        <RelativeTime at={event.at} />
      </span>
    </li>
  );
}

const eventLabels: Record<PodEvent["event"], [Tone, string]> = {
  queued: ["info", "In line"],
  queue_refused: ["bad", "Left the line"],
  created: ["info", "Created"],
  started: ["info", "Start requested"],
  restarted: ["info", "Restart requested"],
  reset: ["info", "Reset requested"],
  stopped: ["off", "Stopped"],
  stop_after: ["warn", "Stopped by deadline"],
  max_lifetime: ["warn", "Stopped at its maximum lifetime"],
  idle: ["warn", "Stopped when idle"],
  no_credits: ["bad", "Out of credits"],
  account_disabled: ["bad", "Account disabled"],
  budget_spent: ["bad", "Budget spent"],
  finished: ["off", "Finished"],
  gave_up: ["bad", "Gave up"],
  evicted: ["warn", "Preempted"],
  disk_full: ["bad", "Disk full"],
  gpu_quarantined: ["bad", "GPU in quarantine"],
  deleted: ["off", "Terminated"],
  terminate_after: ["warn", "Terminated by deadline"],
  container_starting: ["info", "Starting"],
  image_pulling: ["info", "Pulling image"],
  image_pulled: ["info", "Image pulled"],
  container_running: ["good", "Running"],
  container_ended: ["warn", "Container ended"],
  start_failed: ["bad", "Start failed"],
  container_gone: ["off", "Container removed"],
  machine_lost: ["bad", "Machine lost"],
  machine_back: ["good", "Machine online again"],
  gpu_lost: ["bad", "GPU lost"],
  gpu_back: ["good", "GPU back"],
  gpu_unhealthy: ["bad", "GPU out of service"],
  gpu_healthy: ["good", "GPU in service"],
  gpu_error: ["warn", "GPU error"],
};

function describeActor({ actor, keyName, memberEmail }: PodEvent): string {
  switch (actor) {
    case "member":
      return memberEmail ? `by ${memberEmail}` : "by a member";
    case "key":
      return keyName ? `with API key ${keyName}` : "with an API key of the account";
    case "pod":
      return "by the Pod itself";
    case "deadline":
      return "by its deadline";
    case "balance":
      return "because of the account balance";
    case "budget":
      return "by a budget";
    case "operator":
      return "by the operator";
    case "service":
      return "by Freehold";
    case "machine":
      return "observed on its machine";
    case "container":
      return "by the container";
  }
}
