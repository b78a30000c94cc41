// The list of schedules: of the account, or of one endpoint.

import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";

import { Button } from "../../components/control/button.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { AbsoluteTime, RelativeTime } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { cronInWords } from "./cron-in-words.ts";
import { NewSchedule } from "./schedule-form.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { RunOutcome, ScheduleStatus } from "./schedule-status.tsx";
import type { ScheduleSummary } from "./schedule-values.ts";
import { useCanSchedule } from "./use-can-schedule.ts";

export function Schedules() {
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useCanSchedule();
  const openNew = () => setCreating(true);
  return (
    <Page
      title="Schedules"
      lead="Jobs that are submitted at the times of a cron expression."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={openNew}>
            New schedule
          </Button>
        )
      }
    >
      <ScheduleList onNew={openNew} />
      {isCreating && <NewSchedule onClose={() => setCreating(false)} />}
    </Page>
  );
}

const route = getRouteApi("/inside/serverless/$endpointId");

/** The tab of an endpoint. */
export function EndpointSchedules() {
  const { endpointId } = route.useParams();
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useCanSchedule();
  const openNew = () => setCreating(true);
  return (
    <>
      {mayWrite && (
        <div className="mb-3 flex justify-end">
          <Button onClick={openNew}>New schedule</Button>
        </div>
      )}
      <ScheduleList endpointId={endpointId} onNew={openNew} />
      {isCreating && <NewSchedule endpointId={endpointId} onClose={() => setCreating(false)} />}
    </>
  );
}

interface ListProps {
  endpointId?: string;
  onNew: () => void;
}

function ScheduleList({ endpointId, onNew }: ListProps) {
  const query = api.useQuery("get", "/v1/schedules", {
    params: { query: endpointId === undefined ? {} : { endpointId } },
  });
  const mayWrite = useCanSchedule();
  const shown = endpointId === undefined ? columns : columns.filter((each) => each !== endpointOf);
  return (
    <OwnedTable
      query={query}
      singular="schedule"
      columns={mayWrite ? [...shown, actions] : shown}
      idOf={({ id }) => id}
      textsOf={(schedule) => [schedule.id, schedule.name, schedule.cron, schedule.endpointId]}
      empty={<NoSchedules {...(mayWrite && { onNew })} />}
    />
  );
}

const endpointOf: Column<ScheduleSummary> = {
  title: "Endpoint",
  sortBy: ({ endpointId }) => endpointId,
  width: "minmax(7rem, 1fr)",
  minWidth: "lg",
  cell: ({ endpointId }) => (
    <NameCell
      name={
        <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
          <EndpointName id={endpointId} />
        </Link>
      }
      id={endpointId}
    />
  ),
};

const columns: Column<ScheduleSummary>[] = [
  {
    title: "Schedule",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1.3fr)",
    cell: ({ id, name }) => (
      <NameCell
        name={
          <Link to="/schedules/$scheduleId" params={{ scheduleId: id }} className="hover:underline">
            {name}
          </Link>
        }
        id={id}
      />
    ),
  },
  endpointOf,
  {
    title: "Times",
    sortBy: ({ cron }) => cron,
    width: "minmax(9rem, 1.5fr)",
    minWidth: "md",
    cell: ({ cron, timeZone }) => (
      <>
        <div className="truncate" title={cronInWords(cron)}>
          {cronInWords(cron) || cron}
        </div>
        <div className="truncate text-xs text-muted">
          <code>{cron}</code>, {timeZone}
        </div>
      </>
    ),
  },
  {
    title: "Next run",
    sortBy: ({ nextRuns: [next] }) => next,
    width: "10rem",
    minWidth: "sm",
    cell: ({ nextRuns: [next] }) =>
      next ? <AbsoluteTime at={next} /> : <span className="text-muted">None</span>,
  },
  {
    title: "Last run",
    sortBy: ({ lastRun }) => lastRun?.startedAt,
    width: "7rem",
    minWidth: "md",
    cell: ({ lastRun }) =>
      lastRun ? (
        <div title={lastRun.reason}>
          <RunOutcome outcome={lastRun.outcome} />
          <div className="text-xs text-muted">
            <RelativeTime at={lastRun.startedAt} />
          </div>
        </div>
      ) : (
        <span className="text-muted">Never</span>
      ),
  },
  {
    title: "Status",
    sortBy: ({ status }) => status,
    width: "6rem",
    cell: ({ status }) => <ScheduleStatus status={status} />,
  },
];

const actions = actionsColumn<ScheduleSummary>((schedule) => <ScheduleMenu schedule={schedule} />);

const example = {
  endpointId: "ENDPOINT",
  name: "nightly",
  cron: "0 2 * * *",
  timeZone: "Europe/Berlin",
  input: { table: "orders" },
};

function NoSchedules({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No schedules yet"
      actions={onNew && <Button onClick={onNew}>New schedule</Button>}
      curl={curl("POST", "/v1/schedules", example)}
    >
      Submit a job every night, every hour, or at any times of a cron expression.
    </Empty>
  );
}
