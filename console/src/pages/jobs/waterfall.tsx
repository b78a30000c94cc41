// The timeline of a job as spans on one scale.

import { api, type Schema } from "../../api/client.ts";
import { useNow } from "../../components/data/relative-time.tsx";
import { joinClasses } from "../../components/format/class-names.ts";
import { formatDuration } from "../../components/format/units.ts";
import { startSpansOf } from "../workers/cold-start.ts";
import { canCancel } from "./job-status.tsx";

type Job = Schema["Job"];

interface Span {
  name: string;
  /** In ms since the epoch. */
  from: number;
  to: number;
  kind: "wait" | "start" | "run" | "lost" | "deliver";
  /** Its whole duration, where it shows only a part of it. */
  title?: string;
  parts?: Part[];
}

/** A try within the span of a webhook. */
interface Part {
  label: string;
  from: number;
  to: number;
  isGood: boolean;
}

const spanColors: Record<Span["kind"], string> = {
  wait: "bg-info",
  start: "bg-warn",
  run: "bg-accent",
  lost: "bg-bad",
  deliver: "bg-line-strong",
};

/** The worker that has the job or had it last; undefined also a day after its end. */
export function useJobWorker({ workerId }: Job): Schema["Worker"] | undefined {
  const { data } = api.useQuery(
    "get",
    "/v1/workers/{workerId}",
    { params: { path: { workerId: workerId ?? "" } } },
    { enabled: workerId !== undefined, retry: false },
  );
  return data;
}

export function Waterfall({ job }: { job: Job }) {
  const worker = useJobWorker(job);
  const now = useNow();
  const spans = spansOf(job, worker, now);
  const begin = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(...spans.map(({ to }) => to), begin + 1);
  const share = (ms: number) => `${(100 * ms) / (end - begin)}%`;
  const placed = ({ from, to }: { from: number; to: number }) => ({
    left: `min(${share(from - begin)}, calc(100% - 4px))`,
    width: share(to - from),
  });
  return (
    <ol className="space-y-2.5" aria-label="Timeline">
      {spans.map(({ name, from, to, kind, title = name, parts = [] }) => (
        <li
          key={`${name} ${from}`}
          className="grid grid-cols-[8rem_1fr_5.5rem] items-center gap-3 text-sm sm:grid-cols-[11rem_1fr_6rem]"
        >
          <span
            className={joinClasses("truncate", kind === "start" && "pl-4 text-muted")}
            title={title}
          >
            {name}
          </span>
          <span className="relative h-3 rounded-full bg-sunken">
            <span
              className={joinClasses("absolute inset-y-0 min-w-1 rounded-full", spanColors[kind])}
              style={placed({ from, to })}
            />
            {parts.map((part) => (
              <span
                key={part.label}
                role="img"
                aria-label={part.label}
                title={part.label}
                className={joinClasses(
                  "absolute inset-y-0 min-w-1 rounded-full",
                  part.isGood ? "bg-good" : "bg-bad",
                )}
                style={placed(part)}
              />
            ))}
          </span>
          <span className="text-right">{formatDuration(to - from)}</span>
        </li>
      ))}
    </ol>
  );
}

function spansOf(job: Job, worker: Schema["Worker"] | undefined, now: number): Span[] {
  const at = (instant: string | undefined) => (instant ? Date.parse(instant) : undefined);
  const submitted = Date.parse(job.submittedAt);
  const ended = at(job.finishedAt) ?? (canCancel(job.status) ? now : submitted);
  const taken = at(job.startedAt);
  const spans: Span[] = [];
  let queued = submitted;
  for (const { workerId, takenAt, endedAt } of job.attempts) {
    // The present or last attempt is shown as the execution.
    if (endedAt === undefined || takenAt === job.startedAt) continue;
    const [from, to] = [Date.parse(takenAt), Date.parse(endedAt)];
    spans.push({ name: "Queued", from: queued, to: from, kind: "wait" });
    spans.push({ name: `Attempt on ${workerId}`, from, to, kind: "lost" });
    queued = to;
  }
  spans.push({ name: "Queued", from: queued, to: taken ?? ended, kind: "wait" });
  spans.push(...childrenOf(worker, queued, taken ?? ended));
  if (taken !== undefined) spans.push({ name: "Execution", from: taken, to: ended, kind: "run" });
  spans.push(...job.deliveries.map((delivery) => webhookSpan(delivery, now)));
  return spans;
}

/** From its first try to its last, or until now while it waits for another. */
function webhookSpan({ n, state, createdAt, tries }: Job["deliveries"][number], now: number): Span {
  const from = Date.parse(createdAt);
  const parts = tries.map(({ try: nth, at, tookMs, status, error }): Part => {
    const answer = status === undefined ? (error ?? "no response") : `HTTP ${status}`;
    const start = Date.parse(at);
    const isGood = state === "delivered" && nth === tries.length;
    const label = `Webhook try ${nth}: ${answer} after ${formatDuration(tookMs)}`;
    return { label, from: start, to: start + tookMs, isGood };
  });
  const to = Math.max(from, state === "waiting" ? now : (parts.at(-1)?.to ?? from));
  const name = state === "waiting" ? `Webhook ${n} pending` : `Webhook ${n} ${state}`;
  return { name, from, to, kind: "deliver", parts };
}

/** What a wait spent on the worker that ended it: the parts of its start that lie within the wait, and the rest. */
function childrenOf(worker: Schema["Worker"] | undefined, queued: number, until: number): Span[] {
  if (!worker || (worker.readyAt && Date.parse(worker.readyAt) < queued)) return [];
  const parts = startSpansOf(worker, until);
  const ready = parts.at(-1)!.to;
  return [...parts, { name: "Worker ready", from: ready, to: until }].flatMap(
    ({ name, from, to }) => {
      if (to < queued || from > until) return [];
      const title = `${name}: ${formatDuration(to - from)}`;
      return { name, title, from: Math.max(from, queued), to: Math.min(to, until), kind: "start" };
    },
  );
}
