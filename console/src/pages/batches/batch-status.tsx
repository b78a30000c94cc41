// The state of a batch as a badge, and its progress as a bar.

import type { Schema } from "../../api/client.ts";
import { ProgressBar } from "../../components/data/progress-bar.tsx";
import { Status, type Tone } from "../../components/data/status.tsx";
import { formatCount } from "../../components/format/units.ts";

type Batch = Schema["BatchSummary"];

const states: Record<Batch["status"], [Tone, string]> = {
  PENDING: ["info", "Submitting"],
  RUNNING: ["info", "Running"],
  CANCELLING: ["warn", "Cancelling"],
  COMPLETED: ["good", "Completed"],
  CANCELLED: ["off", "Cancelled"],
};

export function BatchStatus({ status }: { status: Batch["status"] }) {
  const [tone, label] = states[status];
  return <Status tone={tone}>{label}</Status>;
}

export const canCancelBatch = (status: Batch["status"]) =>
  status === "PENDING" || status === "RUNNING";

/** "882 of 5,000 ended, 2 failed" above a bar of the outcomes. */
export function BatchProgress({ batch: { total, counts } }: { batch: Batch }) {
  const { completed, cancelled } = counts;
  const failed = counts.failed + counts.timedOut;
  const ended = completed + failed + cancelled;
  return (
    <div className="w-full min-w-0">
      <div className="mb-1 flex flex-wrap justify-between gap-x-3 text-sm">
        <span>
          {formatCount(ended)} of {formatCount(total)} ended
        </span>
        {failed > 0 && <span className="text-bad">{formatCount(failed)} failed</span>}
      </div>
      <ProgressBar
        label="Progress"
        total={total}
        parts={[
          { count: completed, tone: "good" },
          { count: failed, tone: "bad" },
          { count: cancelled, tone: "off" },
        ]}
      />
    </div>
  );
}
