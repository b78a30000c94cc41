// The timeline of a job as spans on one scale.

import { api, type Schema } from "../../api/client.ts";
import { useNow } from "../../components/data/relative-time.tsx";
import { joinClasses } from "../../components/format/class-names.ts";
import { formatDuration } from "../../components/format/units.ts";
import { canCancel } from "./job-status.tsx";

type Job = Schema["Job"];

interface Span {
  name: string;
  /** In ms since the epoch. */
  from: number;
  to: number;
  kind: "wait" | "start" | "run" | "lost" | "deliver";
}

const spanColors: Record<Span["kind"], string> = {
  wait: "bg-info",
  start: "bg-warn",
  run: "bg-accent",
  lost: "bg-bad",
  deliver: "bg-muted",
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
  const isLive = canCancel(job.status);
  const now = useNow();
  const spans = spansOf(job, worker, isLive ? now : null);
  const begin = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(...spans.map(({ to }) => to), begin + 1);
  const share = (ms: number) => `${(100 * ms) / (end - begin)}%`;
  return (
    <ol className="space-y-2.5" aria-label="Timeline">
      {spans.map(({ name, from, to, kind }) => (
        <li
          key={`${name} ${from}`}
          className="grid grid-cols-[8rem_1fr_5.5rem] items-center gap-3 text-sm sm:grid-cols-[11rem_1fr_6rem]"
        >
          <span className="truncate" title={name}>
            {name}
          </span>
          <span className="relative h-3 rounded-full bg-sunken">
            <span
              className={joinClasses("absolute inset-y-0 min-w-1 rounded-full", spanColors[kind])}
              style={{
                left: `min(${share(from - begin)}, calc(100% - 4px))`,
                width: share(to - from),
              }}
            />
          </span>
          <span className="text-right">{formatDuration(to - from)}</span>
        </li>
      ))}
    </ol>
  );
}

/** `now` is null for a job that has ended. */
export function spansOf(
  job: Job,
  worker: Schema["Worker"] | undefined,
  now: number | null,
): Span[] {
  const at = (instant: string | undefined) => (instant ? Date.parse(instant) : undefined);
  const submitted = Date.parse(job.submittedAt);
  const ended = at(job.finishedAt) ?? now ?? submitted;
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
  spans.push(...startSpans(worker, submitted, taken ?? ended));
  if (taken !== undefined) spans.push({ name: "Execution", from: taken, to: ended, kind: "run" });
  for (const { n, state, createdAt, tries } of job.deliveries) {
    const from = Date.parse(createdAt);
    const last = tries.at(-1);
    const to = last ? Date.parse(last.at) + last.tookMs : (now ?? from);
    const name = state === "delivered" ? `Webhook ${n} delivered` : `Webhook ${n} ${state}`;
    spans.push({ name, from, to: Math.max(from, to), kind: "deliver" });
  }
  return spans;
}

/** The parts of a cold start, if the worker started after the job was submitted: container, then handler. */
function startSpans(
  worker: Schema["Worker"] | undefined,
  submitted: number,
  until: number,
): Span[] {
  if (!worker) return [];
  const created = Date.parse(worker.createdAt);
  if (created <= submitted || created >= until) return [];
  const within = (instant: string | undefined) =>
    instant === undefined ? until : Math.max(created, Math.min(Date.parse(instant), until));
  const started = within(worker.startedAt);
  const ready = Math.max(started, within(worker.readyAt));
  return [
    { name: "Container start", from: created, to: started, kind: "start" },
    { name: "Worker startup", from: started, to: ready, kind: "start" },
  ];
}
