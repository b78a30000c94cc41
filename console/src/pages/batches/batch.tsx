// The page of a batch: its progress, its jobs and its webhook.

import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { Webhook } from "../../components/data/webhook.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { type JobState, jobStateNames } from "../../components/format/job-state.ts";
import { formatCount, formatDuration } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { JobList } from "../jobs/jobs.tsx";
import { BatchProgress, BatchStatus, canCancelBatch } from "./batch-status.tsx";

type Batch = Schema["Batch"];

const route = getRouteApi("/inside/batches/$batchId");

export function BatchPage() {
  const { batchId } = route.useParams();
  const query = api.useQuery("get", "/v1/batches/{batchId}", { params: { path: { batchId } } });
  if (isMissing(query)) return <NotFoundPage />;
  const batch = query.data;
  return (
    <Page
      name={`Batch ${batchId}`}
      title={
        <span className="flex flex-wrap items-center gap-3">
          <Copyable text={batchId} />
          {batch && <BatchStatus status={batch.status} />}
        </span>
      }
      back={<Back endpointId={batch?.endpointId} />}
      actions={batch && <CancelBatch batch={batch} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {(found) => (
          <div className="space-y-4">
            <div className="grid gap-4 lg:grid-cols-[1fr_20rem]">
              <Progress batch={found} />
              <Details batch={found} />
            </div>
            <BatchWebhook batch={found} />
            <section>
              <h2 className="mb-2 font-medium">Jobs</h2>
              <JobList batchId={batchId} />
            </section>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function Back({ endpointId }: { endpointId: string | undefined }) {
  if (!endpointId) return <Link to="/batches">Batches</Link>;
  const params = { endpointId };
  return (
    <>
      <Link to="/serverless/$endpointId" params={params} className="hover:underline">
        <EndpointName id={endpointId} />
      </Link>{" "}
      /{" "}
      <Link to="/serverless/$endpointId/batches" params={params} className="hover:underline">
        Batches
      </Link>
    </>
  );
}

function CancelBatch({ batch: { id, status } }: { batch: Batch }) {
  const [isOpen, setOpen] = useState(false);
  const write = useWrite("post", "/v1/batches/{batchId}/cancel", { success: "Batch cancelled" });
  const mayWrite = useCanWrite("queue");
  if (!mayWrite || !canCancelBatch(status)) return null;
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Cancel batch
      </Button>
      {isOpen && (
        <ConfirmDialog
          write={write}
          onClose={() => setOpen(false)}
          title="Cancel the batch?"
          action="Cancel jobs"
          onConfirm={() => write.run({ params: { path: { batchId: id } } })}
        >
          <p>
            Its queued jobs are cancelled, its running jobs are stopped, and items that are not yet
            jobs never become any. Jobs that have ended keep their results.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const stateOf: Record<keyof Batch["counts"], JobState> = {
  inQueue: "IN_QUEUE",
  inProgress: "IN_PROGRESS",
  completed: "COMPLETED",
  failed: "FAILED",
  cancelled: "CANCELLED",
  timedOut: "TIMED_OUT",
};

/** Each count filters the list of jobs below. */
function Progress({ batch }: { batch: Batch }) {
  const counts = Object.keys(stateOf) as (keyof Batch["counts"])[];
  return (
    <Card title="Progress">
      <BatchProgress batch={batch} />
      <ul aria-label="Jobs by status" className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3">
        {counts.map((name) => (
          <li key={name}>
            <Link
              to="/batches/$batchId"
              params={{ batchId: batch.id }}
              search={{ status: stateOf[name] }}
              replace
              resetScroll={false}
              className="block rounded-control px-2 py-1 hover:bg-sunken"
            >
              <span className="block text-sm text-muted">{jobStateNames[stateOf[name]]}</span>
              <span className="text-lg font-semibold">{formatCount(batch.counts[name])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Details({ batch }: { batch: Batch }) {
  const { endpointId, total, reason, createdAt, finishedAt } = batch;
  return (
    <Card title="Details" className="self-start">
      <Facts>
        <Fact name="Endpoint">
          <Link
            to="/serverless/$endpointId"
            params={{ endpointId }}
            className="text-accent hover:underline"
          >
            <EndpointName id={endpointId} />
          </Link>
        </Fact>
        <Fact name="Items">{formatCount(total)}</Fact>
        <Fact name="Created">
          <RelativeTime at={createdAt} />
        </Fact>
        {finishedAt && (
          <>
            <Fact name="Finished">
              <RelativeTime at={finishedAt} />
            </Fact>
            <Fact name="Duration">
              {formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}
            </Fact>
          </>
        )}
        {reason && <Fact name="Reason">{reason}</Fact>}
      </Facts>
    </Card>
  );
}

function BatchWebhook({ batch: { id, webhook, deliveries } }: { batch: Batch }) {
  const write = useWrite("post", "/v1/batches/{batchId}/deliveries/{n}/redeliver", {
    success: "Webhook redelivery started",
  });
  const mayWrite = useCanWrite("queue");
  if (!webhook) return null;
  const start = (n: number) => write.start({ params: { path: { batchId: id, n: String(n) } } });
  return (
    <Webhook
      url={webhook}
      deliveries={deliveries}
      notYet="Called when all jobs have ended."
      redeliver={mayWrite ? { ...write, start } : null}
    />
  );
}
