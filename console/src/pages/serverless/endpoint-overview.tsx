// An endpoint at a glance: its numbers, why it is as it is, and how it is set.

import { getRouteApi } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { Card, Fact, Facts } from "../../parts/card.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Tile, Tiles } from "../../parts/tile.tsx";
import { count, counted, dollars, duration, perHour } from "../../parts/units.ts";
import { WhyNote } from "../../parts/why.tsx";
import { hardware } from "./endpoints.tsx";
import { useHealth } from "./health.tsx";
import { EndpointHistory } from "./history.tsx";

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointOverview() {
  const { endpointId } = route.useParams();
  const { data: endpoint } = api.useQuery("get", "/v1/endpoints/{endpointId}", {
    params: { path: { endpointId } },
  });
  return (
    <>
      <Numbers endpointId={endpointId} />
      <WhyNote id={endpointId} />
      <EndpointHistory endpointId={endpointId} />
      {endpoint && (
        <div className="grid gap-5 lg:grid-cols-[1fr_20rem]">
          <Settings endpoint={endpoint} />
          <Cost endpointId={endpointId} />
        </div>
      )}
    </>
  );
}

function Numbers({ endpointId }: { endpointId: string }) {
  const health = useHealth(endpointId);
  const jobs = health?.jobs;
  const workers = health?.workers;
  return (
    <Tiles>
      <Tile name="Queued" value={jobs && count(jobs.inQueue)} note="jobs wait" />
      <Tile name="Running" value={jobs && count(jobs.inProgress)} note="jobs run now" />
      <Tile
        name="Completed"
        value={jobs && count(jobs.completed)}
        note={jobs && `${count(jobs.failed)} failed, ${count(jobs.retried)} retried`}
      />
      <Tile
        name="Workers"
        value={workers && workers.idle + workers.running + workers.initializing}
        note={workers && `${workers.running} busy, ${workers.initializing} starting`}
      />
    </Tiles>
  );
}

function Cost({ endpointId }: { endpointId: string }) {
  const { data: cost } = api.useQuery("get", "/v1/endpoints/{endpointId}/cost", {
    params: { path: { endpointId } },
  });
  return (
    <Card title="What it costs" className="self-start">
      {cost ? (
        <Facts>
          <Fact name="Now">{perHour(cost.spendPerHr)}</Fact>
          <Fact name="So far">{dollars(cost.spent)}</Fact>
          <Fact name="Jobs ended">{count(cost.jobs)}</Fact>
          <Fact name="1,000 jobs">
            {cost.per1000Jobs === undefined ? "Known after the first" : dollars(cost.per1000Jobs)}
          </Fact>
        </Facts>
      ) : (
        <Skeleton className="h-24" />
      )}
    </Card>
  );
}

function Settings({ endpoint }: { endpoint: Schema["Endpoint"] }) {
  const { templateId, workersMin, workersMax, scalerType, scalerValue, idleTimeout } = endpoint;
  const mostMs = Number(endpoint.executionTimeoutMs);
  const volumes = endpoint.networkVolumeIds;
  return (
    <Card title="How it is set">
      <Facts>
        <Fact name="Template">
          <code>{templateId}</code>
        </Fact>
        <Fact name="Runs on">{hardware(endpoint)}</Fact>
        <Fact name="Workers">
          {workersMin} to {workersMax}
        </Fact>
        <Fact name="One more worker">
          {scalerType === "QUEUE_DELAY"
            ? `when a job has waited ${counted(scalerValue, "second")}`
            : `for every ${counted(scalerValue, "job")}`}
        </Fact>
        <Fact name="Idle workers stay">{counted(idleTimeout, "second")}</Fact>
        <Fact name="A job may run for">
          {mostMs === 0 ? "as long as it needs" : duration(mostMs)}
        </Fact>
        <Fact name="Network volumes">{volumes.length > 0 ? volumes.join(", ") : "None"}</Fact>
        <Fact name="Version">{endpoint.version}</Fact>
      </Facts>
    </Card>
  );
}
