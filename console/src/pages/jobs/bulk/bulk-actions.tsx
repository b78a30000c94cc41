// Actions for the selected jobs.

import type { ReactNode } from "react";
import type { Schema } from "../../../api/client.ts";
import { Button } from "../../../components/control/button.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { formatQuantity } from "../../../components/format/units.ts";
import { showToast } from "../../../toast.tsx";
import { useCancelJob, useRetryJob } from "../job-actions.ts";
import { canCancel, canRetry } from "../job-status.tsx";

type Job = Schema["JobSummary"];

interface Props {
  jobs: Job[];
  onSelectAll: () => void;
  onDone: () => void;
}

export function BulkActions({ jobs, onSelectAll, onDone }: Props) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const isPending = cancel.isPending || retry.isPending;
  const error = cancel.error ?? retry.error;
  if (jobs.length === 0) return null;
  const cancellable = jobs.filter(({ status }) => canCancel(status));
  const retryable = jobs.filter(({ status }) => canRetry(status));
  const changeAll = async (targets: Job[], write: typeof cancel | typeof retry, done: string) => {
    cancel.reset();
    retry.reset();
    for (const job of targets) await write.run(job);
    showToast(`${formatQuantity(targets.length, "job")} ${done}`);
    onDone();
  };
  return (
    <SelectionBar
      text={`${formatQuantity(jobs.length, "job")} selected`}
      error={error}
      onDone={onDone}
    >
      <Button small variant="quiet" onClick={onSelectAll}>
        Select all that match
      </Button>
      <Button
        small
        busy={isPending}
        disabled={retryable.length === 0}
        onClick={() => void changeAll(retryable, retry, "requeued").catch(() => {})}
      >
        Retry {retryable.length || ""}
      </Button>
      <Button
        small
        variant="danger"
        busy={isPending}
        disabled={cancellable.length === 0}
        onClick={() => void changeAll(cancellable, cancel, "cancelled").catch(() => {})}
      >
        Cancel {cancellable.length || ""}
      </Button>
    </SelectionBar>
  );
}

interface BarProps {
  text: string;
  error?: unknown;
  onDone: () => void;
  children: ReactNode;
}

/** What is selected, above the list, with its actions. */
export function SelectionBar({ text, error = null, onDone, children }: BarProps) {
  return (
    <div className="sticky top-15 z-10 mb-3 space-y-2 lg:top-2">
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised px-4 py-2 shadow-raised">
        <span className="mr-auto font-medium">{text}</span>
        {children}
        <Button small variant="quiet" onClick={onDone}>
          Clear selection
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
