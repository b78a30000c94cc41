// The live list of jobs: of one endpoint, of one batch, or all.

import { ArrowUp } from "lucide-react";
import { curl } from "../../api/curl.ts";
import { Button } from "../../components/control/button.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { JobOperations } from "./bulk/job-operations.tsx";
import { JobFilters, useJobSearch } from "./job-filters.tsx";
import { type JobName, JobTable } from "./job-table.tsx";
import { type JobFilter, useJobPages } from "./use-job-pages.ts";

export function Jobs() {
  return (
    <Page title="Jobs" lead="Jobs submitted to your endpoints, newest first.">
      <JobList />
    </Page>
  );
}

/** Where jobs are from: without it, all endpoints. */
export type JobOrigin = { endpointId?: string } | { batchId: string };

export function JobList(origin: JobOrigin) {
  const { search } = useJobSearch();
  const { status, worker, error, id, since, quarantined } = search;
  const isOfAll = Object.keys(origin).length === 0;
  const from = isOfAll && search.endpoint ? { endpointId: search.endpoint } : origin;
  const filter: JobFilter = {
    ...from,
    ...(status && { status }),
    ...(worker && { workerId: worker }),
    ...(error && { error }),
    ...(id && { id }),
    ...(since && { since }),
    ...(quarantined && { quarantined: quarantined === "yes" }),
  };
  return (
    <>
      <JobFilters hasOrigin={!isOfAll} />
      <JobOperations from={from} />
      <JobResults
        key={JSON.stringify(filter)}
        filter={filter}
        isFiltered={Object.keys(search).length > 0}
        name={isOfAll ? "endpoint" : "batchId" in origin ? "item" : null}
      />
    </>
  );
}

interface ResultsProps {
  filter: JobFilter;
  isFiltered: boolean;
  name: JobName | null;
}

function JobResults({ filter, isFiltered, name }: ResultsProps) {
  const { head, rows, newer: newJobs, onEnd, onSight } = useJobPages(filter);
  return (
    <QueryResult query={head} skeleton={<SkeletonRows rows={10} />}>
      {() =>
        rows.length > 0 ? (
          <>
            <NewJobsButton jobs={newJobs} />
            <JobTable rows={rows} filter={filter} name={name} onEnd={onEnd} onSight={onSight} />
          </>
        ) : (
          <NoJobs filter={filter} isFiltered={isFiltered} />
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

interface NoJobsProps {
  filter: JobFilter;
  isFiltered: boolean;
}

function NoJobs({ filter: { endpointId, batchId }, isFiltered }: NoJobsProps) {
  if (isFiltered) return <p className="py-8 text-center text-muted">No jobs match the filters</p>;
  if (batchId)
    return (
      <p className="py-8 text-center text-muted">
        Its items are not yet jobs, or its jobs are deleted
      </p>
    );
  return (
    <Empty
      title="No jobs yet"
      curl={curl("POST", `/v2/${endpointId ?? "ENDPOINT_ID"}/run`, { input: { prompt: "Hello" } })}
    >
      Submit a job to an endpoint. It waits in the queue until a worker is ready.
    </Empty>
  );
}
