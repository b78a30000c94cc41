// The page of a worker: its phase and reason, its log and its details.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime, useNow } from "../../components/data/relative-time.tsx";
import { SimulatedBadge } from "../../components/data/simulated-badge.tsx";
import { WhyNote } from "../../components/feedback/why-note.tsx";
import { formatDuration } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Log } from "../../components/log/log.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { startSpansOf } from "./cold-start.ts";
import { WorkerPhase } from "./worker-phase.tsx";

const route = getRouteApi("/inside/workers/$workerId");

export function WorkerPage() {
  const { workerId } = route.useParams();
  const query = api.useQuery("get", "/v1/workers/{workerId}", { params: { path: { workerId } } });
  if (isMissing(query)) return <NotFoundPage />;
  const endpointId = query.data?.endpointId;
  return (
    <Page
      name={`Worker ${workerId}`}
      title={
        <span className="flex flex-wrap items-center gap-3">
          <Copyable text={workerId} />
          {query.data && <WorkerPhase worker={query.data} />}
          {query.data?.driver === "simulated" && <SimulatedBadge />}
        </span>
      }
      back={
        endpointId ? (
          <>
            <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
              <EndpointName id={endpointId} />
            </Link>{" "}
            /{" "}
            <Link
              to="/serverless/$endpointId/workers"
              params={{ endpointId }}
              className="hover:underline"
            >
              Workers
            </Link>
          </>
        ) : (
          <Link to="/serverless">Endpoints</Link>
        )
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {(worker) => (
          <>
            <WhyNote id={worker.id} />
            <div className="grid gap-4 lg:grid-cols-[1fr_20rem]">
              <div className="min-w-0">
                <Log address={`/v1/workers/${worker.id}/logs`} />
              </div>
              <Card title="Details" className="self-start">
                <WorkerDetails worker={worker} />
              </Card>
            </div>
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function WorkerDetails({ worker }: { worker: Schema["Worker"] }) {
  const now = useNow();
  const { createdAt, readyAt, endedAt, exitCode, signal } = worker;
  const coldStart = readyAt && Date.parse(readyAt) - Date.parse(createdAt);
  return (
    <Facts>
      <Fact name="Current jobs">{worker.jobs}</Fact>
      <Fact name="Jobs done">{worker.served}</Fact>
      <Fact name="Version">{worker.version}</Fact>
      <Fact name="Driver">{worker.driver}</Fact>
      <Fact name="Created">
        <RelativeTime at={createdAt} />
      </Fact>
      {coldStart !== undefined && (
        <Fact name="Cold start">{formatDuration(Number(coldStart))}</Fact>
      )}
      {startSpansOf(worker, now).map(({ name, from, to }) => (
        <Fact key={name} name={name}>
          {formatDuration(to - from)}
        </Fact>
      ))}
      {worker.seenAt && (
        <Fact name="Last seen">
          <RelativeTime at={worker.seenAt} />
        </Fact>
      )}
      {endedAt && (
        <Fact name="Ended">
          <RelativeTime at={endedAt} />
          {exitCode !== undefined && `, exit code ${exitCode}`}
          {signal && `, ${signal}`}
        </Fact>
      )}
      {worker.reason && <Fact name="Reason">{worker.reason}</Fact>}
      {worker.unhealthy && <Fact name="Unhealthy">{worker.unhealthy}</Fact>}
      {worker.sdkVersion && <Fact name="SDK">{worker.sdkVersion}</Fact>}
    </Facts>
  );
}
