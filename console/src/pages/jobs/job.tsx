// The page of a job: its status and reason, its timeline, its input and output.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { Json } from "../../components/data/json-view.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { SimulatedBadge } from "../../components/data/simulated-badge.tsx";
import { Webhook } from "../../components/data/webhook.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { WhyNote } from "../../components/feedback/why-note.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import {
  formatBytes,
  formatDuration,
  formatExactDollars,
  formatQuantity,
} from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Log } from "../../components/log/log.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { useCancelJob, useRetryJob } from "./job-actions.ts";
import { ErrorCard } from "./job-error.tsx";
import { CopyRequestMenu, RunAgainLink } from "./job-menu.tsx";
import { canCancel, canRetry, JobStatus } from "./job-status.tsx";
import { StreamOutput } from "./stream-output.tsx";
import { useJobWorker, Waterfall } from "./waterfall.tsx";

type Job = Schema["Job"];

const route = getRouteApi("/inside/jobs/$jobId");

export function JobPage() {
  const { jobId } = route.useParams();
  const query = api.useQuery("get", "/v1/jobs/{jobId}", { params: { path: { jobId } } });
  if (isMissing(query)) return <NotFoundPage />;
  const job = query.data;
  return (
    <Page
      name={`Job ${jobId}`}
      title={
        <span className="flex flex-wrap items-center gap-3">
          <Copyable text={jobId} />
          {job && <JobStatus state={job.status} />}
          {job?.simulated && <SimulatedBadge />}
        </span>
      }
      back={<Back endpointId={job?.endpointId} />}
      actions={job && <Actions job={job} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {(found) => <JobBody job={found} />}
      </QueryResult>
    </Page>
  );
}

function Back({ endpointId }: { endpointId: string | undefined }) {
  if (!endpointId) return <Link to="/jobs">Jobs</Link>;
  return (
    <>
      <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
        <EndpointName id={endpointId} />
      </Link>{" "}
      /{" "}
      <Link to="/serverless/$endpointId/jobs" params={{ endpointId }} className="hover:underline">
        Jobs
      </Link>
    </>
  );
}

function Actions({ job }: { job: Job }) {
  const mayWrite = useCanWrite("queue");
  const cancel = useCancelJob("Job cancelled");
  const retry = useRetryJob("Job requeued");
  const error = cancel.error ?? retry.error;
  return (
    <>
      {mayWrite && <RunAgainLink job={job} />}
      {mayWrite && canRetry(job.status) && (
        <Button
          variant="primary"
          busy={retry.isPending}
          onClick={() => void retry.run(job).catch(() => {})}
        >
          Retry
        </Button>
      )}
      {mayWrite && canCancel(job.status) && (
        <Button
          variant="danger"
          busy={cancel.isPending}
          onClick={() => void cancel.run(job).catch(() => {})}
        >
          Cancel
        </Button>
      )}
      <CopyRequestMenu job={job} />
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

function JobBody({ job }: { job: Job }) {
  const isLive = canCancel(job.status);
  const needsExplanation = job.status !== "COMPLETED" && job.status !== "CANCELLED";
  return (
    <>
      {needsExplanation && <WhyNote id={job.id} />}
      <div className="grid gap-4 lg:grid-cols-[1fr_20rem]">
        <div className="min-w-0 space-y-4">
          <Card title="Timeline">
            <Waterfall job={job} />
          </Card>
          {job.error && <ErrorCard error={job.error} />}
          <section aria-label="Log">
            <Log address={`/v1/jobs/${job.id}/logs`} hasOneSource />
          </section>
          <StreamOutput job={job} />
          <Card title={isLive && job.output !== undefined ? "Progress" : "Output"} flush>
            {job.output === undefined ? (
              <p className="p-4 text-muted">{isLive ? "No output yet" : "No output"}</p>
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
        <Card title="Details" className="self-start">
          <JobDetails job={job} />
        </Card>
      </div>
    </>
  );
}

function JobDetails({ job }: { job: Job }) {
  const worker = useJobWorker(job);
  return (
    <Facts>
      <Fact name="Submitted">
        <RelativeTime at={job.submittedAt} />
        {job.sync ? " with runsync" : ""}
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
      <BatchFact job={job} />
      {worker && (
        <Fact name="Release">
          <Link
            to="/serverless/$endpointId/releases"
            params={{ endpointId: job.endpointId }}
            className="text-accent hover:underline"
          >
            {worker.version}
          </Link>
        </Fact>
      )}
      <Fact name="Cost">
        {formatExactDollars(job.cost)}
        {canCancel(job.status) ? " so far" : ""}
      </Fact>
      <Fact name="Retries">{job.retries}</Fact>
      <Fact name="Priority">
        {job.priority}
        {job.lowPriority ? ", low" : ""}
      </Fact>
      {job.concurrency && (
        <Fact name="Concurrency key">
          <code className="break-all">{job.concurrency.key}</code>, at most {job.concurrency.limit}
        </Fact>
      )}
      {job.rateLimit && (
        <Fact name="Rate limit">
          <code className="break-all">{job.rateLimit.key}</code>,{" "}
          {formatQuantity(job.rateLimit.limit, "job")} per{" "}
          {formatDuration(job.rateLimit.period * 1_000)}
        </Fact>
      )}
      <Fact name="Execution timeout">
        {job.executionTimeoutMs === 0 ? "No limit" : formatDuration(job.executionTimeoutMs)}
      </Fact>
      {canCancel(job.status) && <Fact name="Expires">{formatDateTime(job.expiresAt)}</Fact>}
      {job.forgottenAt && (
        <Fact name="Result available until">{formatDateTime(job.forgottenAt)}</Fact>
      )}
      {job.chunks > 0 && (
        <Fact name="Streamed">
          {formatQuantity(job.chunks, "chunk")}, {job.chunksDelivered} delivered
        </Fact>
      )}
      <TraceFact job={job} />
    </Facts>
  );
}

function BatchFact({ job: { batchId, batchIndex } }: { job: Job }) {
  if (!batchId) return null;
  return (
    <Fact name="Batch">
      <Link to="/batches/$batchId" params={{ batchId }} className="text-accent hover:underline">
        <code>{batchId}</code>
      </Link>
      <div>Item {batchIndex}</div>
    </Fact>
  );
}

/** To find it in the collector's own pages. */
function TraceFact({ job: { traceId } }: { job: Job }) {
  if (!traceId) return null;
  return (
    <Fact name="Trace">
      <Copyable text={traceId} />
    </Fact>
  );
}

function Attempts({ job: { attempts, latePosts } }: { job: Job }) {
  if (attempts.length === 0 && latePosts.length === 0) return null;
  return (
    <Card title="Attempts">
      <ul className="space-y-2 text-sm">
        {attempts.map(({ n, workerId, takenAt, endedAt, outcome }) => (
          <li key={n}>
            <code>{workerId}</code>{" "}
            {endedAt === undefined
              ? "is running it"
              : `ran it for ${formatDuration(Date.parse(endedAt) - Date.parse(takenAt))}: ${outcome}`}
          </li>
        ))}
        {latePosts.map(({ at, workerId, kind, bytes: size }) => (
          <li key={`${at} ${workerId}`}>
            <code>{workerId}</code> posted {kind} ({formatBytes(size)}) after the job ended
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The webhook of a job. */
function Deliveries({ job }: { job: Schema["Job"] }) {
  const { id, status, webhook, deliveries } = job;
  const write = useWrite("post", "/v1/jobs/{jobId}/deliveries/{n}/redeliver", {
    success: "Webhook redelivery started",
  });
  const mayWrite = useCanWrite("queue");
  if (!webhook) return null;
  const start = (n: number) => write.start({ params: { path: { jobId: id, n: String(n) } } });
  return (
    <Webhook
      url={webhook}
      deliveries={deliveries}
      notYet="Called when the job ends."
      redeliver={mayWrite && !canCancel(status) ? { ...write, start } : null}
    />
  );
}
