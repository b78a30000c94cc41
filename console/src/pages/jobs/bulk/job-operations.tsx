// The operations on all matching jobs that run or ended within the last hour, with their progress.

import { api, type Schema } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/session.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { ProgressBar } from "../../../components/data/progress-bar.tsx";
import { RelativeTime, useNow } from "../../../components/data/relative-time.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { formatCount, formatQuantity } from "../../../components/format/units.ts";
import { HOUR_MS } from "../../../time-units.ts";
import type { JobFilter } from "../use-job-pages.ts";

type Operation = Schema["JobOperation"];

const SHOWN_MS = HOUR_MS;
const MAX_SHOWN = 3;

const titles = {
  retry: { RUNNING: "Retrying", COMPLETED: "Retried", CANCELLED: "Retry stopped after" },
  cancel: { RUNNING: "Cancelling", COMPLETED: "Cancelled", CANCELLED: "Stopped after cancelling" },
} as const;

export function JobOperations({ from }: { from: Pick<JobFilter, "endpointId" | "batchId"> }) {
  const { data = [] } = api.useQuery("get", "/v1/job-operations");
  const now = useNow();
  const recent = data.filter(
    ({ filter, finishedAt }) =>
      (from.endpointId === undefined || filter.endpointId === from.endpointId) &&
      (from.batchId === undefined || filter.batchId === from.batchId) &&
      (finishedAt === undefined || Date.parse(finishedAt) > now - SHOWN_MS),
  );
  if (recent.length === 0) return null;
  return (
    <ul
      aria-label="Operations"
      className="mb-3 divide-y divide-line rounded-card border border-line bg-surface"
    >
      {recent.slice(0, MAX_SHOWN).map((operation) => (
        <OperationRow key={operation.id} operation={operation} />
      ))}
    </ul>
  );
}

function OperationRow({ operation }: { operation: Operation }) {
  const { id, action, status, filter, total, done, createdAt } = operation;
  const stop = useWrite("post", "/v1/job-operations/{jobOperationId}/cancel", {
    invalidates: ["/v1/job-operations"],
  });
  const mayWrite = useCanWrite("queue");
  const isRunning = status === "RUNNING";
  const title = titles[action][status];
  return (
    <li className="px-4 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">
          {isRunning
            ? `${title} jobs: ${formatCount(done)}${total === undefined ? "" : ` of ${formatCount(total)}`}`
            : `${title} ${formatQuantity(done, "job")}`}
        </span>
        <span className="min-w-0 truncate text-muted">{filterText(filter)}</span>
        <span className="ml-auto text-muted">
          <RelativeTime at={createdAt} />
        </span>
        {isRunning && mayWrite && (
          <Button
            small
            busy={stop.isPending}
            onClick={() => stop.start({ params: { path: { jobOperationId: id } } })}
          >
            Stop
          </Button>
        )}
      </div>
      {isRunning && total !== undefined && (
        <div className="mt-1.5">
          <ProgressBar
            label={`${title} jobs`}
            total={total}
            parts={[{ count: done, tone: "accent" }]}
          />
        </div>
      )}
      {stop.error !== null && <ErrorNote error={stop.error} />}
    </li>
  );
}

/** "status FAILED, error out of memory" */
function filterText(filter: Operation["filter"]): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? "all jobs" : parts.join(", ");
}
