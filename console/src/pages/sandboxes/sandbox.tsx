// The page of a sandbox: its limits, a command line, and its log.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { useCanWrite } from "../../api/session.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { formatDuration, formatHourlyPrice } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { LabelsFact } from "../../components/layout/labels-fact.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Log } from "../../components/log/log.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { CommandRunner } from "./command-runner.tsx";
import { SandboxActions } from "./sandbox-actions.tsx";
import { isLive, reasonOf, type Sandbox, SandboxState, TimeLeft } from "./sandbox-state.tsx";

const route = getRouteApi("/inside/sandboxes/$sandboxId");

export function SandboxPage() {
  const { sandboxId } = route.useParams();
  const mayWrite = useCanWrite();
  const params = { path: { sandboxId } };
  const query = api.useQuery("get", "/v2/sandboxes/{sandboxId}", { params });
  if (isMissing(query)) return <NotFoundPage />;
  const sandbox = query.data;
  return (
    <Page
      name={sandbox?.name ?? "Sandbox"}
      title={
        sandbox ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {sandbox.name}
            <SandboxState {...sandbox} />
            <span className="text-sm font-normal text-muted">
              <Copyable text={sandbox.id} />
            </span>
          </span>
        ) : (
          <Skeleton className="h-8 w-56" />
        )
      }
      back={<Link to="/sandboxes">Sandboxes</Link>}
      actions={sandbox && mayWrite && isLive(sandbox) && <SandboxActions sandbox={sandbox} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-80" />}>
        {(found) => <Body sandbox={found} />}
      </QueryResult>
    </Page>
  );
}

function Body({ sandbox }: { sandbox: Sandbox }) {
  const mayWrite = useCanWrite();
  const isRunning = sandbox.state === "RUNNING";
  return (
    <div className="space-y-6">
      <div className="grid gap-6 lg:grid-cols-2">
        <Card title="Details">
          <Details sandbox={sandbox} />
        </Card>
        <Card title={isLive(sandbox) ? "Limits" : "End"}>
          {isLive(sandbox) ? <Limits sandbox={sandbox} /> : <End sandbox={sandbox} />}
        </Card>
      </div>
      {isRunning && mayWrite && <CommandRunner sandboxId={sandbox.id} />}
      {isRunning && (
        <section aria-label="Log">
          <h2 className="mb-2 font-medium">Log</h2>
          <Log address={`/v2/sandboxes/${sandbox.id}/logs`} />
        </section>
      )}
    </div>
  );
}

function Details({ sandbox }: { sandbox: Sandbox }) {
  const { imageName, compute, cpuFlavorId, createdAt } = sandbox;
  return (
    <Facts>
      <Fact name="Image">
        <code>{imageName}</code>
      </Fact>
      {compute && (
        <>
          <Fact name="Size">
            {compute.vcpuCount} vCPU, {compute.memoryInGb} GB memory, {compute.containerDiskInGb} GB
            disk
          </Fact>
          <Fact name="Price">{formatHourlyPrice(compute.costPerHr)}</Fact>
        </>
      )}
      {cpuFlavorId && <Fact name="CPU">{cpuFlavorId}</Fact>}
      <LabelsFact of={sandbox} />
      <Fact name="Created">
        <RelativeTime at={createdAt} />
      </Fact>
    </Facts>
  );
}

function Limits({ sandbox }: { sandbox: Sandbox }) {
  return (
    <Facts>
      <Fact name="Idle timeout">
        {formatDuration(sandbox.idleTimeoutSeconds * 1_000)}: ends in{" "}
        <TimeLeft until={sandbox.idleExpiresAt} /> without a command
      </Fact>
      <Fact name="Maximum lifetime">
        {formatDuration(sandbox.maxLifetimeSeconds * 1_000)}: ends in{" "}
        <TimeLeft until={sandbox.expiresAt} />
      </Fact>
      <Fact name="Last activity">
        <RelativeTime at={sandbox.lastActivityAt} />
      </Fact>
    </Facts>
  );
}

function End({ sandbox }: { sandbox: Sandbox }) {
  return (
    <Facts>
      <Fact name="Reason">{reasonOf(sandbox)}</Fact>
      <Fact name="Ended">
        <RelativeTime at={sandbox.terminatedAt} />
      </Fact>
    </Facts>
  );
}
