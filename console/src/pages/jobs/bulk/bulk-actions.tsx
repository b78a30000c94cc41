// Actions for the selected jobs.

import type { Schema } from "../../../api/client.ts";
import { Button } from "../../../components/control/button.tsx";
import { SelectionBar } from "../../../components/feedback/selection-bar.tsx";
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
