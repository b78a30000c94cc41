// What came of the job that was sent, as far as it is known.

import { Link } from "@tanstack/react-router";
import { api } from "../../../api/client.ts";
import { Card } from "../../../parts/card.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { Json } from "../../../parts/json.tsx";
import { duration } from "../../../parts/units.ts";
import { WhyNote } from "../../../parts/why.tsx";
import { JobStatus, mayCancel } from "../../jobs/job-status.tsx";
import type { Sent } from "./send-job.ts";

export function Answer({ sent }: { sent: Sent | null }) {
  if (!sent) {
    return (
      <Card title="Answer">
        <p className="text-muted">Send a request, and what comes of it is shown here.</p>
      </Card>
    );
  }
  if (sent.error) return <FaultNote error={sent.error} />;
  if (!sent.jobId) {
    return (
      <Card title="Answer">
        <p role="status" className="text-muted">
          Waiting for the answer
        </p>
      </Card>
    );
  }
  return (
    <div className="space-y-4">
      {sent.chunks.length > 0 && (
        <Card title="Streamed" aside={`${sent.chunks.length} pieces`} flush>
          <Json value={sent.chunks} label="Pieces" />
        </Card>
      )}
      <Live jobId={sent.jobId} />
    </div>
  );
}

function Live({ jobId }: { jobId: string }) {
  const { data: job, error } = api.useQuery("get", "/v1/jobs/{jobId}", {
    params: { path: { jobId } },
  });
  if (error) return <FaultNote error={error} />;
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
          <>
            {delayTime !== undefined && `waited ${duration(delayTime)}`}
            {executionTime !== undefined && `, ran ${duration(executionTime)}`}
          </>
        }
        flush
      >
        {job.error && <p className="p-4 break-words whitespace-pre-wrap text-bad">{job.error}</p>}
        {job.output !== undefined && <Json value={job.output} label="Output" />}
        {job.output === undefined && !job.error && (
          <p role="status" className="p-4 text-muted">
            {mayCancel(job.status) ? "There is no output yet." : "There is no output."}
          </p>
        )}
        {workerId && (
          <p className="border-t border-line px-4 py-2.5 text-sm">
            <Link
              to="/workers/$workerId"
              params={{ workerId }}
              className="text-accent hover:underline"
            >
              The log of its worker
            </Link>
          </p>
        )}
      </Card>
      {job.status === "IN_QUEUE" && <WhyNote id={jobId} />}
    </>
  );
}
