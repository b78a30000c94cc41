// Cancels or retries the jobs that were chosen.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { say } from "../../parts/toast.tsx";
import { counted } from "../../parts/units.ts";
import { cancelJob, retryJob } from "./change-job.ts";
import { mayCancel, mayRetry } from "./job-status.tsx";

type Job = Schema["JobSummary"];

interface Props {
  jobs: Job[];
  onDone: () => void;
}

export function ManyJobs({ jobs, onDone }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  if (jobs.length === 0) return null;
  const live = jobs.filter(({ status }) => mayCancel(status));
  const failed = jobs.filter(({ status }) => mayRetry(status));
  const each = async (some: Job[], change: (job: Job) => Promise<void>, said: string) => {
    setBusy(true);
    setError(null);
    try {
      for (const job of some) await change(job);
      say(`${counted(some.length, "job")} ${said}`);
      onDone();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="sticky top-15 z-10 mb-3 space-y-2 lg:top-2">
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised px-4 py-2 shadow-raised">
        <span className="mr-auto font-medium">{counted(jobs.length, "job")} chosen</span>
        <Button
          small
          busy={busy}
          disabled={failed.length === 0}
          onClick={() => void each(failed, retryJob, "queued again")}
        >
          Retry {failed.length || ""}
        </Button>
        <Button
          small
          look="danger"
          busy={busy}
          disabled={live.length === 0}
          onClick={() => void each(live, cancelJob, "cancelled")}
        >
          Cancel {live.length || ""}
        </Button>
        <Button small look="quiet" onClick={onDone}>
          Choose none
        </Button>
      </div>
      {error !== null && <FaultNote error={error} />}
    </div>
  );
}
