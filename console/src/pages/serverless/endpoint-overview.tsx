// The overview of an endpoint: its key figures, its explanation, its metrics and its configuration.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { TemplateName, VolumeNames } from "../../components/control/resource-name.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { WhyNote } from "../../components/feedback/why-note.tsx";
import {
  formatCount,
  formatDollars,
  formatDuration,
  formatHourlyPrice,
  formatQuantity,
} from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Tile, Tiles } from "../../components/layout/tile.tsx";
import { EndpointAddress } from "./endpoint-address.tsx";
import { EndpointHistory } from "./endpoint-history.tsx";
import { EndpointHardware } from "./endpoints.tsx";
import { shortModel } from "./form/endpoint-draft.ts";
import { useHealth } from "./health.tsx";
import { OpenAiCard } from "./openai-card.tsx";

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointOverview() {
  const { endpointId } = route.useParams();
  const { data: endpoint } = api.useQuery("get", "/v1/endpoints/{endpointId}", {
    params: { path: { endpointId } },
  });
  const isBalanced = endpoint?.type === "LB";
  return (
    <>
      {endpoint?.requestUrl && (
        <EndpointAddress endpointId={endpointId} url={endpoint.requestUrl} />
      )}
      <OpenAiCard endpointId={endpointId} />
      <Numbers endpointId={endpointId} isBalanced={isBalanced} />
      <WhyNote id={endpointId} />
      <EndpointHistory endpointId={endpointId} isBalanced={isBalanced} />
      {endpoint && <Settings endpoint={endpoint} />}
    </>
  );
}

function Numbers({ endpointId, isBalanced }: { endpointId: string; isBalanced: boolean }) {
  const health = useHealth(endpointId);
  const jobs = health?.jobs;
  const workers = health?.workers;
  return (
    <Tiles>
      {!isBalanced && (
        <>
          <Tile
            name="Queued"
            value={jobs && formatCount(jobs.inQueue)}
            note={jobs && `${formatCount(jobs.inProgress)} running`}
          />
          <Tile
            name="Completed"
            value={jobs && formatCount(jobs.completed)}
            note={
              jobs && `${formatCount(jobs.failed)} failed, ${formatCount(jobs.retried)} retried`
            }
          />
        </>
      )}
      <Tile
        name="Workers"
        value={workers && workers.idle + workers.running + workers.initializing}
        note={workers && `${workers.running} busy, ${workers.initializing} starting`}
      />
      <Cost endpointId={endpointId} />
    </Tiles>
  );
}

function Cost({ endpointId }: { endpointId: string }) {
  const { data: cost } = api.useQuery("get", "/v1/endpoints/{endpointId}/cost", {
    params: { path: { endpointId } },
  });
  const perJobs =
    cost?.per1000Jobs !== undefined && `, ${formatDollars(cost.per1000Jobs)} per 1,000 jobs`;
  return (
    <Tile
      name="Cost"
      value={cost && formatDollars(cost.spent)}
      note={
        cost && (
          <>
            {formatHourlyPrice(cost.spendPerHr)} now{perJobs} ·{" "}
            <Link
              to="/billing/$kind/$resourceId"
              params={{ kind: "endpoints", resourceId: endpointId }}
              className="underline"
            >
              by day
            </Link>
          </>
        )
      }
    />
  );
}

function Settings({ endpoint }: { endpoint: Schema["Endpoint"] }) {
  const { templateId, workersMin, workersMax, scalerType, scalerValue, idleTimeout } = endpoint;
  const mostMs = Number(endpoint.executionTimeoutMs);
  const volumes = endpoint.networkVolumeIds;
  const isBalanced = endpoint.type === "LB";
  return (
    <Card title="Configuration">
      <Facts>
        <Fact name="Template">
          <TemplateName id={templateId} />
        </Fact>
        <Fact name="Hardware">
          <EndpointHardware endpoint={endpoint} />
        </Fact>
        <Fact name="Workers">
          {workersMin} to {workersMax}
        </Fact>
        <Fact name="Type">{isBalanced ? "Load balancing" : "Queue"}</Fact>
        <Fact name="Scaling">
          {scalerType === "QUEUE_DELAY"
            ? `Queue delay, ${formatQuantity(scalerValue, "second")}`
            : `Request count, ${formatQuantity(scalerValue, isBalanced ? "request" : "job")} per worker`}
        </Fact>
        <Fact name="Idle timeout">{formatDuration(idleTimeout * 1_000)}</Fact>
        <Fact name={isBalanced ? "Response timeout" : "Execution timeout"}>
          {mostMs === 0 ? "No limit" : formatDuration(mostMs)}
        </Fact>
        {!isBalanced && (
          <>
            <Fact name="Result retention">{describeRetention(endpoint.resultRetentionMs)}</Fact>
            <Fact name="Failure retention">{describeRetention(endpoint.failureRetentionMs)}</Fact>
            <Fact name="Retries">{describeRetries(endpoint.retryPolicy)}</Fact>
          </>
        )}
        <Fact name="Models">{endpoint.modelReferences.map(shortModel).join(", ") || "None"}</Fact>
        <Fact name="Network volumes">
          {volumes.length > 0 ? <VolumeNames ids={volumes} /> : "None"}
        </Fact>
        <Fact name="Version">{endpoint.version}</Fact>
        <Fact name="Created">
          <RelativeTime at={endpoint.createdAt} />
        </Fact>
      </Facts>
    </Card>
  );
}

function describeRetries(policy: Schema["RetryPolicy"] | undefined): string {
  if (!policy) return "Once after a lost worker";
  return `Up to ${formatQuantity(policy.maxAttempts ?? 3, "attempt")}`;
}

const describeRetention = (ms: unknown) => (ms === 0 ? "Default" : formatDuration(Number(ms)));
