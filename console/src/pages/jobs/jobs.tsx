// Jobs, live: of one endpoint as a part of its page, or of all.

import { ArrowUp } from "lucide-react";
import { useState } from "react";
import { curl } from "../../api/curl.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { counted } from "../../parts/units.ts";
import { type JobState, jobStates } from "./job-status.tsx";
import { JobTable } from "./job-table.tsx";
import { type JobFilter, useJobPages } from "./use-job-pages.ts";

export function Jobs() {
  return (
    <Page title="Jobs" lead="What was submitted to your endpoints, the newest first.">
      <JobList />
    </Page>
  );
}

export function JobList({ endpointId }: { endpointId?: string }) {
  const [status, setStatus] = useState<JobState | "">("");
  const filter: JobFilter = { ...(endpointId && { endpointId }), ...(status && { status }) };
  return (
    <>
      <Field label={<span className="sr-only">State</span>} className="mb-3 w-44">
        {(tied) => (
          <Select
            {...tied}
            value={status}
            onChange={({ target }) => setStatus(target.value as JobState | "")}
          >
            <option value="">All states</option>
            {Object.entries(jobStates).map(([state, [, word]]) => (
              <option key={state} value={state}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Found key={status} filter={filter} />
    </>
  );
}

function Found({ filter }: { filter: JobFilter }) {
  const { head, rows, newer, onEnd, onSight } = useJobPages(filter);
  return (
    <Loaded query={head} skeleton={<SkeletonRows rows={10} />}>
      {() =>
        rows.length > 0 ? (
          <>
            <Newer jobs={newer} />
            <JobTable rows={rows} ofAll={!filter.endpointId} onEnd={onEnd} onSight={onSight} />
          </>
        ) : (
          <NoJobs {...filter} />
        )
      }
    </Loaded>
  );
}

/** While one looks further down, the list stands still. */
function Newer({ jobs }: { jobs: number }) {
  if (jobs === 0) return null;
  return (
    <Button
      small
      look="primary"
      className="fixed top-16 left-1/2 z-10 -translate-x-1/2 shadow-raised lg:top-4 lg:left-[calc(50%+7.25rem)]"
      onClick={() => window.scrollTo({ top: 0 })}
    >
      <ArrowUp aria-hidden className="size-3.5" /> {counted(jobs, "newer job")}
    </Button>
  );
}

function NoJobs({ endpointId, status }: JobFilter) {
  if (status) return <p className="py-8 text-center text-muted">No job is in this state.</p>;
  return (
    <Empty
      title="No jobs yet"
      curl={curl("POST", `/v2/${endpointId ?? "ENDPOINT_ID"}/run`, { input: { prompt: "Hello" } })}
    >
      A job is an input for an endpoint. It waits in the queue until a worker takes it.
    </Empty>
  );
}
