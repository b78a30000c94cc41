// The response to a submitted job, updated live.

import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { Json } from "../../../components/data/json-view.tsx";
import { useNow } from "../../../components/data/relative-time.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { WhyNote } from "../../../components/feedback/why-note.tsx";
import { formatDuration } from "../../../components/format/units.ts";
import { Card } from "../../../components/layout/card.tsx";
import { useCancelJob } from "../../jobs/job-actions.ts";
import { ErrorText } from "../../jobs/job-error.tsx";
import { canCancel, JobStatus } from "../../jobs/job-status.tsx";
import type { RequestState } from "./use-send-job.ts";

export function Response({ sent }: { sent: RequestState | null }) {
  if (!sent) {
    return (
      <Card title="Response">
        <p className="text-muted">Send a request to see the response here.</p>
      </Card>
    );
  }
  if (sent.error) return <ErrorNote error={sent.error} />;
  if (!sent.jobId) {
    return (
      <Card title="Response">
        <p role="status" className="text-muted">
          Waiting for the response
        </p>
      </Card>
    );
  }
  return (
    <div className="space-y-4">
      {sent.chunks.length > 0 && (
        <Card title="Stream" aside={`${sent.chunks.length} chunks`} flush>
          <Json value={sent.chunks} label="Chunks" />
        </Card>
      )}
      <LiveJob jobId={sent.jobId} />
    </div>
  );
}

function LiveJob({ jobId }: { jobId: string }) {
  const { data: job, error } = api.useQuery("get", "/v1/jobs/{jobId}", {
    params: { path: { jobId } },
  });
  if (error) return <ErrorNote error={error} />;
  if (!job) return null;
  const { delayTime, executionTime, workerId } = job;
  return (
    <>
      <Card
        title={
          <span className="flex flex-wrap items-center gap-3">
            <Link
              to="/jobs/$jobId"
              params={{ jobId }}
              className="font-mono text-accent hover:underline"
            >
              {jobId}
            </Link>
            <JobStatus state={job.status} />
          </span>
        }
        aside={
          canCancel(job.status) ? (
            <Waiting job={job} />
          ) : (
            <>
              {delayTime !== undefined && `queued ${formatDuration(delayTime)}`}
              {executionTime !== undefined && `, executed in ${formatDuration(executionTime)}`}
            </>
          )
        }
        flush
      >
        {job.error && (
          <div className="p-4">
            <ErrorText error={job.error} withType />
          </div>
        )}
        {job.output !== undefined && <Json value={job.output} label="Output" />}
        {job.output === undefined && !job.error && (
          <p role="status" className="p-4 text-muted">
            {canCancel(job.status) ? "No output yet" : "No output"}
          </p>
        )}
        {workerId && (
          <p className="border-t border-line px-4 py-2.5 text-sm">
            <Link
              to="/workers/$workerId"
              params={{ workerId }}
              className="text-accent hover:underline"
            >
              View worker log
            </Link>
          </p>
        )}
      </Card>
      {job.status === "IN_QUEUE" && <WhyNote id={jobId} />}
    </>
  );
}

/** How long the job has been waiting and running, and a button that cancels it. */
function Waiting({ job }: { job: Schema["Job"] }) {
  const now = useNow();
  const mayWrite = useCanWrite("queue");
  const cancel = useCancelJob("Job cancelled");
  const elapsedMs = Math.max(0, now - Date.parse(job.submittedAt));
  return (
    <span className="flex items-center gap-3">
      <span role="timer">{formatDuration(elapsedMs)}</span>
      {mayWrite && (
        <Button
          small
          busy={cancel.isPending}
          onClick={() => void cancel.run(job).catch(() => {})} // its error is in `cancel`
        >
          Cancel job
        </Button>
      )}
    </span>
  );
}
