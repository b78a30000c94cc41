// One job: how it is and why, where its time went, what went in and came out.

import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Card, Fact, Facts } from "../../parts/card.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { Json } from "../../parts/json.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { say } from "../../parts/toast.tsx";
import { bytes, counted, dollars, duration } from "../../parts/units.ts";
import { WhyNote } from "../../parts/why.tsx";
import { cancelJob, retryJob } from "./change-job.ts";
import { Deliveries } from "./deliveries.tsx";
import { JobStatus, mayCancel, mayRetry } from "./job-status.tsx";
import { Waterfall } from "./waterfall.tsx";

type Job = Schema["Job"];

const route = getRouteApi("/inside/jobs/$jobId");

export function JobPage() {
  const { jobId } = route.useParams();
  const query = api.useQuery("get", "/v1/jobs/{jobId}", { params: { path: { jobId } } });
  const job = query.data;
  return (
    <Page
      name={`Job ${jobId}`}
      title={
        <span className="flex flex-wrap items-center gap-3">
          <Copyable text={jobId} />
          {job && <JobStatus state={job.status} />}
        </span>
      }
      back={<Back endpointId={job?.endpointId} />}
      actions={job && <Actions job={job} />}
    >
      <Loaded query={query} skeleton={<Skeleton className="h-96" />}>
        {(found) => <Shown job={found} />}
      </Loaded>
    </Page>
  );
}

function Back({ endpointId }: { endpointId: string | undefined }) {
  if (!endpointId) return <Link to="/jobs">Jobs</Link>;
  return (
    <>
      <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
        {endpointId}
      </Link>{" "}
      /{" "}
      <Link to="/serverless/$endpointId/jobs" params={{ endpointId }} className="hover:underline">
        Jobs
      </Link>
    </>
  );
}

function Actions({ job }: { job: Job }) {
  const mayWrite = useMayWrite("queue");
  const [error, setError] = useState<unknown>(null);
  const act = async (change: (job: Job) => Promise<void>, said: string) => {
    setError(null);
    try {
      await change(job);
      say(said);
    } catch (refused) {
      setError(refused);
    }
  };
  if (!mayWrite) return null;
  return (
    <>
      {mayRetry(job.status) && (
        <Button look="primary" onClick={() => void act(retryJob, "The job is queued again")}>
          Retry
        </Button>
      )}
      {mayCancel(job.status) && (
        <Button look="danger" onClick={() => void act(cancelJob, "The job is cancelled")}>
          Cancel
        </Button>
      )}
      {error !== null && <FaultNote error={error} />}
    </>
  );
}

function Shown({ job }: { job: Job }) {
  const explained = job.status !== "COMPLETED" && job.status !== "CANCELLED";
  return (
    <>
      {explained && <WhyNote id={job.id} />}
      <div className="grid gap-4 lg:grid-cols-[1fr_20rem]">
        <div className="min-w-0 space-y-4">
          <Card title="Timing">
            <Waterfall job={job} />
          </Card>
          {job.error && (
            <Card title="Error">
              <pre className="overflow-x-auto whitespace-pre-wrap break-words text-bad">
                {job.error}
              </pre>
            </Card>
          )}
          <Card title="Output" flush>
            {job.output === undefined ? (
              <p className="p-4 text-muted">
                {mayCancel(job.status) ? "There is none yet." : "There is none."}
              </p>
            ) : (
              <Json value={job.output} label="Output" />
            )}
          </Card>
          <Card title="Input" flush>
            <Json value={job.input} label="Input" />
          </Card>
          <Deliveries job={job} />
          <Attempts job={job} />
        </div>
        <Card title="About it" className="self-start">
          <About job={job} />
        </Card>
      </div>
    </>
  );
}

function About({ job }: { job: Job }) {
  return (
    <Facts>
      <Fact name="Submitted">
        <Ago at={job.submittedAt} />
        {job.sync ? ", by runsync" : ""}
      </Fact>
      {job.workerId && (
        <Fact name="Worker">
          <Link
            to="/workers/$workerId"
            params={{ workerId: job.workerId }}
            className="text-accent hover:underline"
          >
            <code>{job.workerId}</code>
          </Link>
        </Fact>
      )}
      <Fact name="Cost">
        {dollars(job.cost)}
        {mayCancel(job.status) ? " so far" : ""}
      </Fact>
      <Fact name="Retries">{job.retries}</Fact>
      <Fact name="Priority">
        {job.priority}
        {job.lowPriority ? ", low" : ""}
      </Fact>
      <Fact name="May run for">
        {job.executionTimeoutMs === 0 ? "No limit" : duration(job.executionTimeoutMs)}
      </Fact>
      <Fact name="Expires">{new Date(job.expiresAt).toLocaleString()}</Fact>
      {job.forgottenAt && (
        <Fact name="Result kept until">{new Date(job.forgottenAt).toLocaleString()}</Fact>
      )}
      {job.chunks > 0 && (
        <Fact name="Streamed">
          {counted(job.chunks, "piece")}, {job.chunksDelivered} read
        </Fact>
      )}
      <Fact name="Story">{job.story}</Fact>
    </Facts>
  );
}

function Attempts({ job: { attempts, latePosts } }: { job: Job }) {
  if (attempts.length === 0 && latePosts.length === 0) return null;
  return (
    <Card title="Earlier attempts">
      <ul className="space-y-2 text-sm">
        {attempts.map(({ n, workerId, takenAt, endedAt, outcome }) => (
          <li key={n}>
            <code>{workerId}</code> had it for {duration(Date.parse(endedAt) - Date.parse(takenAt))}
            : {outcome}
          </li>
        ))}
        {latePosts.map(({ at, workerId, kind, bytes: size }) => (
          <li key={`${at} ${workerId}`}>
            <code>{workerId}</code> posted {kind} ({bytes(size)}) after it had ended
          </li>
        ))}
      </ul>
    </Card>
  );
}
