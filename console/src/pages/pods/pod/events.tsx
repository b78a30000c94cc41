// What happened to a Pod: what was wanted of it and by whom, what was seen of its container; the newest first.

import { useState } from "react";
import { api, type Schema } from "../../../api/client.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Button } from "../../../parts/button.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { SkeletonRows } from "../../../parts/skeleton.tsx";
import { Status, type Tone } from "../../../parts/status.tsx";

type PodEvent = Schema["PodEvent"];

const PAGE = 100;
const MOST = 500;

export function PodEvents({ podId }: { podId: string }) {
  const [limit, setLimit] = useState(PAGE);
  const query = api.useQuery(
    "get",
    "/v1/pods/{podId}/events",
    { params: { path: { podId }, query: { limit } } },
    { placeholderData: (shown) => shown },
  );
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={6} />}>
      {(events) =>
        events.length === 0 ? (
          <Empty title="Nothing yet">Each start, stop and restart is written down here.</Empty>
        ) : (
          <>
            <ol
              aria-label="Events"
              className="divide-y divide-line rounded-card border border-line bg-surface"
            >
              {events.map((event) => (
                <One key={event.id} event={event} />
              ))}
            </ol>
            {events.length === limit && limit < MOST && (
              <Button className="mt-3" onClick={() => setLimit(MOST)}>
                Show earlier ones
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function One({ event }: { event: PodEvent }) {
  const [tone, word] = shown[event.event];
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr_auto]">
      <div>
        <Status tone={tone}>{word}</Status>
      </div>
      <div className="col-span-2 row-start-2 min-w-0 wrap-anywhere sm:col-span-1 sm:col-start-2 sm:row-start-1 sm:pt-0.5">
        {event.message}
        <div className="text-xs text-muted">{who(event)}</div>
      </div>
      <span className="text-right text-sm whitespace-nowrap text-muted tabular-nums sm:col-start-3 sm:pt-0.5">
        <Ago at={event.at} />
      </span>
    </li>
  );
}

const shown: Record<PodEvent["event"], [Tone, string]> = {
  created: ["info", "Made"],
  started: ["info", "Start asked"],
  restarted: ["info", "Restart asked"],
  reset: ["info", "Reset asked"],
  stopped: ["off", "Stopped"],
  stop_after: ["warn", "Deadline: stopped"],
  no_credits: ["bad", "No credits left"],
  account_disabled: ["bad", "Account disabled"],
  budget_spent: ["bad", "Budget spent"],
  finished: ["off", "Finished"],
  gave_up: ["bad", "Given up"],
  evicted: ["warn", "Gave way"],
  disk_full: ["bad", "Disk full"],
  deleted: ["off", "Terminated"],
  terminate_after: ["warn", "Deadline: terminated"],
  container_starting: ["info", "Starting"],
  image_pulling: ["info", "Pulling its image"],
  image_pulled: ["info", "Image pulled"],
  container_running: ["good", "Running"],
  container_ended: ["warn", "Container ended"],
  start_failed: ["bad", "Start failed"],
  container_gone: ["off", "Container gone"],
  machine_lost: ["bad", "Machine lost"],
  machine_back: ["good", "Machine back"],
};

function who({ actor, keyName, memberEmail }: PodEvent): string {
  switch (actor) {
    case "member":
      return memberEmail ? `by ${memberEmail}` : "by a member";
    case "key":
      return keyName ? `with the key “${keyName}”` : "with a key of the account";
    case "pod":
      return "by the Pod itself";
    case "deadline":
      return "by its deadline";
    case "balance":
      return "by the balance of the account";
    case "budget":
      return "by a budget";
    case "operator":
      return "by the operator";
    case "service":
      return "by the service";
    case "machine":
      return "seen on its machine";
    case "container":
      return "of its own accord";
  }
}
