// The explanation of a resource's state: one sentence, the next step, and the evidence.

import { Lightbulb } from "lucide-react";
import { api, type Schema } from "../../api/client.ts";
import { type JobState, jobStateNames } from "../format/job-state.ts";
import { formatDateTime, withZoneTimes } from "../format/time.ts";
import { formatDuration, formatQuantity } from "../format/units.ts";

export function WhyNote({ id }: { id: string }) {
  const { data } = api.useQuery("get", "/v1/why/{id}", { params: { path: { id } } });
  if (!data) return null;
  const evidence = evidenceLines(data.evidence);
  return (
    <div role="note" className="mb-5 rounded-card border border-line bg-surface p-4">
      <div className="flex gap-3">
        <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{withZoneTimes(inWords(data.sentence))}</p>
          {data.next && <p className="mt-0.5 break-words text-muted">{data.next}</p>}
          {evidence.length > 0 && (
            <details className="mt-2 text-sm">
              <summary className="w-fit cursor-pointer text-muted hover:text-text">
                Evidence
              </summary>
              <ul className="mt-1.5 list-disc space-y-0.5 pl-4">
                {evidence.map((line) => (
                  <li key={line} className="break-words">
                    {line}
                  </li>
                ))}
              </ul>
              {data.evidence.log && (
                <pre
                  tabIndex={0}
                  role="region"
                  aria-label={`Last log lines of ${data.evidence.log.workerId}`}
                  className="mt-2 max-h-56 overflow-auto rounded-control bg-sunken p-3"
                >
                  {data.evidence.log.lines.join("\n")}
                </pre>
              )}
            </details>
          )}
        </div>
      </div>
    </div>
  );
}

/** "IN_QUEUE for 5 min: ...", as clients know the state, in the words of its badge. */
const inWords = (sentence: string) =>
  sentence.replace(/^[A-Z_]+(?=[ :])/, (state) =>
    Object.hasOwn(jobStateNames, state) ? jobStateNames[state as JobState] : state,
  );

type Evidence = Schema["Why"]["evidence"];

function evidenceLines(evidence: Evidence): string[] {
  const { jobsAhead, queue, workers, ends, startAllowedAt, attempts, error, cause, log, share } =
    evidence;
  return [
    jobsAhead !== undefined && `${formatQuantity(jobsAhead, "job")} ahead in the queue.`,
    queue &&
      `${formatQuantity(queue.waiting, "job")} queued` +
        (queue.oldestWaitingMs === null
          ? "."
          : `, the oldest for ${formatDuration(queue.oldestWaitingMs)}.`),
    workers &&
      `Workers (maximum ${workers.workersMax}): ${workers.idle} idle, ${workers.busy} busy, ` +
        `${workers.starting} starting, ${workers.draining} draining, ${workers.unhealthy} unhealthy.`,
    share && shareLine(share),
    ...(ends ?? []).map(
      ({ workerId, endedAt, exitCode, signal, unhealthy }) =>
        `Worker ${workerId} ended at ${formatDateTime(endedAt)}` +
        `${exitCode === null ? "" : ` with exit code ${exitCode}`}${signal ? ` by ${signal}` : ""}` +
        `${unhealthy ? `: ${unhealthy}` : "."}`,
    ),
    startAllowedAt && `No worker starts before ${formatDateTime(startAllowedAt)}.`,
    ...(attempts ?? []).map(
      ({ workerId, takenAt, endedAt, outcome }) =>
        `Worker ${workerId} ran it for ${formatDuration(Date.parse(endedAt) - Date.parse(takenAt))}: ${outcome}.`,
    ),
    error,
    cause,
    log && `Last log lines of ${log.workerId}:`,
  ].filter((line) => typeof line === "string");
}

const resourceNames = { gpus: "GPUs", vcpus: "vCPUs", memoryMb: "MB of memory" };

function shareLine(share: NonNullable<Evidence["share"]>): string {
  const { resource, held, total, othersAhead, endpointsAhead } = share;
  const others =
    othersAhead > 0 &&
    formatQuantity(othersAhead, "endpoint of other accounts", "endpoints of other accounts");
  const ahead = [others, ...endpointsAhead].filter((each) => each !== false).join(", ");
  return `The account uses ${held} of ${total} ${resourceNames[resource]}. First come: ${ahead}.`;
}
