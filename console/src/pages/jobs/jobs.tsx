// The live list of jobs, of one endpoint or of all.

import { ArrowUp } from "lucide-react";
import { useState } from "react";
import { curl } from "../../api/curl.ts";
import { Button } from "../../components/control/button.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Field, Select } from "../../components/form/field.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { type JobState, jobStatuses } from "./job-status.tsx";
import { JobTable } from "./job-table.tsx";
import { type JobFilter, useJobPages } from "./use-job-pages.ts";

export function Jobs() {
  return (
    <Page title="Jobs" lead="Jobs submitted to your endpoints, newest first.">
      <JobList />
    </Page>
  );
}

export function JobList({ endpointId }: { endpointId?: string }) {
  const [status, setStatus] = useState<JobState | "">("");
  const filter: JobFilter = { ...(endpointId && { endpointId }), ...(status && { status }) };
  return (
    <>
      <Field label={<span className="sr-only">Status</span>} className="mb-3 w-44">
        {(tied) => (
          <Select
            {...tied}
            value={status}
            onChange={({ target }) => setStatus(target.value as JobState | "")}
          >
            <option value="">All statuses</option>
            {Object.entries(jobStatuses).map(([state, [, label]]) => (
              <option key={state} value={state}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <JobResults key={status} filter={filter} />
    </>
  );
}

function JobResults({ filter }: { filter: JobFilter }) {
  const { head, rows, newer: newJobs, onEnd, onSight } = useJobPages(filter);
  return (
    <QueryResult query={head} skeleton={<SkeletonRows rows={10} />}>
      {() =>
        rows.length > 0 ? (
          <>
            <NewJobsButton jobs={newJobs} />
            <JobTable
              rows={rows}
              showEndpoint={!filter.endpointId}
              onEnd={onEnd}
              onSight={onSight}
            />
          </>
        ) : (
          <NoJobs {...filter} />
        )
      }
    </QueryResult>
  );
}

/** A button to the top of a pinned list. */
function NewJobsButton({ jobs }: { jobs: number }) {
  if (jobs === 0) return null;
  return (
    <Button
      small
      variant="primary"
      className="fixed top-16 left-1/2 z-10 -translate-x-1/2 shadow-raised lg:top-4 lg:left-[calc(50%+7.25rem)]"
      onClick={() => window.scrollTo({ top: 0 })}
    >
      <ArrowUp aria-hidden className="size-3.5" /> {formatQuantity(jobs, "newer job")}
    </Button>
  );
}

function NoJobs({ endpointId, status }: JobFilter) {
  if (status) return <p className="py-8 text-center text-muted">No jobs with this status</p>;
  return (
    <Empty
      title="No jobs yet"
      curl={curl("POST", `/v2/${endpointId ?? "ENDPOINT_ID"}/run`, { input: { prompt: "Hello" } })}
    >
      Submit a job to an endpoint. It waits in the queue until a worker is ready.
    </Empty>
  );
}
