// Why something is as it is: one sentence, what to do, and the evidence a click away.

import { Lightbulb } from "lucide-react";
import { api, type Schema } from "../api/client.ts";
import { duration } from "./units.ts";

export function WhyNote({ id }: { id: string }) {
  const { data } = api.useQuery("get", "/v1/why/{id}", { params: { path: { id } } });
  if (!data) return null;
  const evidence = told(data.evidence);
  return (
    <div role="note" className="mb-5 rounded-card border border-line bg-surface p-4">
      <div className="flex gap-3">
        <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{data.sentence}</p>
          {data.next && <p className="mt-0.5 break-words text-muted">{data.next}</p>}
          {evidence.length > 0 && (
            <details className="mt-2 text-sm">
              <summary className="w-fit cursor-pointer text-muted hover:text-text">
                What this rests on
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
                  aria-label={`The last lines of ${data.evidence.log.workerId}`}
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

type Evidence = Schema["Why"]["evidence"];

function told(evidence: Evidence): string[] {
  const { jobsAhead, queue, workers, ends, startAllowedAt, attempts, error, cause, log } = evidence;
  return [
    jobsAhead !== undefined && `${jobsAhead} jobs stand before it.`,
    queue &&
      `${queue.waiting} jobs wait` +
        (queue.oldestWaitingMs === null
          ? "."
          : `, the oldest for ${duration(queue.oldestWaitingMs)}.`),
    workers &&
      `Of at most ${workers.workersMax} workers ${workers.idle} are idle, ${workers.busy} busy, ` +
        `${workers.starting} starting, ${workers.draining} draining, ${workers.unhealthy} unhealthy.`,
    ...(ends ?? []).map(
      ({ workerId, endedAt, exitCode, signal, unhealthy }) =>
        `Worker ${workerId} ended ${new Date(endedAt).toLocaleString()}` +
        `${exitCode === null ? "" : ` with exit code ${exitCode}`}${signal ? ` by ${signal}` : ""}` +
        `${unhealthy ? `: ${unhealthy}` : "."}`,
    ),
    startAllowedAt && `No worker starts before ${new Date(startAllowedAt).toLocaleTimeString()}.`,
    ...(attempts ?? []).map(
      ({ workerId, takenAt, endedAt, outcome }) =>
        `Worker ${workerId} had it for ${duration(Date.parse(endedAt) - Date.parse(takenAt))}: ${outcome}.`,
    ),
    error,
    cause,
    log && `The last lines of ${log.workerId}:`,
  ].filter((line) => typeof line === "string");
}
