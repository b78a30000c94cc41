// One worker: how it is and why, and what it prints.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { Card, Fact, Facts } from "../../parts/card.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Log } from "../../parts/log.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { duration } from "../../parts/units.ts";
import { WhyNote } from "../../parts/why.tsx";
import { WorkerPhase } from "./worker-phase.tsx";

const route = getRouteApi("/inside/workers/$workerId");

export function WorkerPage() {
  const { workerId } = route.useParams();
  const query = api.useQuery("get", "/v1/workers/{workerId}", { params: { path: { workerId } } });
  const endpointId = query.data?.endpointId;
  return (
    <Page
      name={`Worker ${workerId}`}
      title={
        <span className="flex flex-wrap items-center gap-3">
          <Copyable text={workerId} />
          {query.data && <WorkerPhase worker={query.data} />}
        </span>
      }
      back={
        endpointId ? (
          <>
            <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
              {endpointId}
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
          <Link to="/serverless">Serverless</Link>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton className="h-96" />}>
        {(worker) => (
          <>
            <WhyNote id={worker.id} />
            <div className="grid gap-4 lg:grid-cols-[1fr_20rem]">
              <div className="min-w-0">
                <Log address={`/v1/workers/${worker.id}/logs`} />
              </div>
              <Card title="About it" className="self-start">
                <About worker={worker} />
              </Card>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ worker }: { worker: Schema["Worker"] }) {
  const { createdAt, readyAt, endedAt, exitCode, signal } = worker;
  const coldStart = readyAt && Date.parse(readyAt) - Date.parse(createdAt);
  return (
    <Facts>
      <Fact name="Jobs">{worker.jobs} now</Fact>
      <Fact name="Served">{worker.served}</Fact>
      <Fact name="Version">{worker.version}</Fact>
      <Fact name="Driver">{worker.driver}</Fact>
      <Fact name="Made">
        <Ago at={createdAt} />
      </Fact>
      {coldStart !== undefined && <Fact name="Cold start">{duration(Number(coldStart))}</Fact>}
      {worker.seenAt && (
        <Fact name="Last heard">
          <Ago at={worker.seenAt} />
        </Fact>
      )}
      {endedAt && (
        <Fact name="Ended">
          <Ago at={endedAt} />
          {exitCode !== undefined && `, exit code ${exitCode}`}
          {signal && `, ${signal}`}
        </Fact>
      )}
      {worker.reason && <Fact name="Ends because">{worker.reason}</Fact>}
      {worker.unhealthy && <Fact name="Unhealthy">{worker.unhealthy}</Fact>}
      {worker.sdkVersion && <Fact name="SDK">{worker.sdkVersion}</Fact>}
    </Facts>
  );
}
