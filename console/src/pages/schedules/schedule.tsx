// The page of a schedule: its settings, its input and its latest runs.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { Json } from "../../components/data/json-view.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { AbsoluteTime } from "../../components/data/relative-time.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { WhyNote } from "../../components/feedback/why-note.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { LabelsFact } from "../../components/layout/labels-fact.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { formatJson } from "../../exact-json.ts";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { cronInWords } from "./cron-in-words.ts";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { RunOutcome, ScheduleStatus } from "./schedule-status.tsx";
import { concurrencyPolicies, missedRunPolicies, type Schedule } from "./schedule-values.ts";
import { useCanSchedule } from "./use-can-schedule.ts";

const route = getRouteApi("/inside/schedules/$scheduleId");

export function SchedulePage() {
  const { scheduleId } = route.useParams();
  const navigate = useNavigate();
  const mayWrite = useCanSchedule();
  const params = { path: { scheduleId } };
  const query = api.useQuery("get", "/v1/schedules/{scheduleId}", { params });
  if (isMissing(query)) return <NotFoundPage />;
  const schedule = query.data;
  return (
    <Page
      name={schedule?.name ?? "Schedule"}
      title={
        schedule ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {schedule.name}
            <ScheduleStatus status={schedule.status} />
            <span className="text-sm font-normal text-muted">
              <Copyable text={scheduleId} />
            </span>
          </span>
        ) : (
          <Skeleton className="h-8 w-56" />
        )
      }
      back={
        <Link to="/schedules" className="hover:underline">
          Schedules
        </Link>
      }
      actions={
        schedule &&
        mayWrite && (
          <ScheduleMenu schedule={schedule} onDeleted={() => void navigate({ to: "/schedules" })} />
        )
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-80" />}>
        {(found) => (
          <div className="space-y-4">
            <WhyNote id={scheduleId} />
            <div className="grid gap-4 lg:grid-cols-2">
              <Settings schedule={found} />
              <Card title="Input">
                <Json label="Input" value={found.input} />
              </Card>
            </div>
            <Runs scheduleId={scheduleId} />
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function Settings({ schedule }: { schedule: Schedule }) {
  const { endpointId, cron, timeZone, nextRuns, webhook, policy } = schedule;
  return (
    <Card title="Configuration">
      <Facts>
        <Fact name="Endpoint">
          <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
            <EndpointName id={endpointId} />
          </Link>
        </Fact>
        <Fact name="Times">
          <div>{cronInWords(cron)}</div>
          <code>{cron}</code>, {timeZone}
        </Fact>
        <Fact name="Next runs">
          {nextRuns.length === 0 && "None"}
          {nextRuns.map((at) => (
            <div key={at}>
              <AbsoluteTime at={at} />
            </div>
          ))}
        </Fact>
        <Fact name="If an earlier job has not ended">
          {nameIn(concurrencyPolicies, schedule.concurrencyPolicy)}
        </Fact>
        <Fact name="Missed runs">{nameIn(missedRunPolicies, schedule.missedRunPolicy)}</Fact>
        {Object.keys(policy).length > 0 && (
          <Fact name="Policy of its jobs">
            <code>{formatJson(policy, 0)}</code>
          </Fact>
        )}
        {webhook && <Fact name="Webhook">{webhook}</Fact>}
        <LabelsFact of={schedule} />
        <Fact name="Created">
          <AbsoluteTime at={schedule.createdAt} />
        </Fact>
      </Facts>
    </Card>
  );
}

const nameIn = (names: readonly (readonly [string, string])[], value: string) =>
  names.find(([each]) => each === value)?.[1];

type Run = Schema["ScheduleRun"];

function Runs({ scheduleId }: { scheduleId: string }) {
  const query = api.useQuery("get", "/v1/schedules/{scheduleId}/runs", {
    params: { path: { scheduleId } },
  });
  return (
    <section>
      <h2 className="mb-2 font-medium">Runs</h2>
      <QueryResult query={query} skeleton={<Skeleton className="h-40" />}>
        {(runs) =>
          runs.length === 0 ? (
            <p className="text-muted">It has not run yet.</p>
          ) : (
            <Table label="Runs" columns={columns} rows={runs} idOf={({ n }) => `${n}`} />
          )
        }
      </QueryResult>
    </section>
  );
}

const columns: Column<Run>[] = [
  { title: "Run", width: "3.5rem", cell: ({ n }) => n },
  {
    title: "Time",
    width: "10rem",
    cell: ({ scheduledAt }) => <AbsoluteTime at={scheduledAt} />,
  },
  {
    title: "Started",
    width: "7rem",
    minWidth: "md",
    cell: ({ trigger }) => (trigger === "MANUAL" ? "On request" : "On schedule"),
  },
  { title: "Outcome", width: "7rem", cell: ({ outcome }) => <RunOutcome outcome={outcome} /> },
  {
    title: "Job",
    width: "minmax(10rem, 1fr)",
    minWidth: "sm",
    cell: ({ jobId, reason }) =>
      jobId ? (
        <Link to="/jobs/$jobId" params={{ jobId }} className="hover:underline">
          <code>{jobId}</code>
        </Link>
      ) : (
        <span className="text-muted" title={reason}>
          {reason}
        </span>
      ),
  },
];
