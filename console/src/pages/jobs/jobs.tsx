// The live list of jobs, of one endpoint or of all.

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
  const { search } = useJobSearch();
  const { status, worker, error, id, since, quarantined } = search;
  const endpoint = endpointId ?? search.endpoint;
  const filter: JobFilter = {
    ...(endpoint && { endpointId: endpoint }),
    ...(status && { status }),
    ...(worker && { workerId: worker }),
    ...(error && { error }),
    ...(id && { id }),
    ...(since && { since }),
    ...(quarantined && { quarantined: quarantined === "yes" }),
  };
  return (
    <>
      <JobFilters hasEndpoint={endpointId !== undefined} />
      <JobOperations endpointId={endpoint} />
      <JobResults
        key={JSON.stringify(filter)}
        filter={filter}
        isFiltered={Object.keys(search).length > 0}
        showEndpoint={endpointId === undefined}
      />
    </>
  );
}

interface ResultsProps {
  filter: JobFilter;
  isFiltered: boolean;
  showEndpoint: boolean;
}

function JobResults({ filter, isFiltered, showEndpoint }: ResultsProps) {
  const { head, rows, newer: newJobs, onEnd, onSight } = useJobPages(filter);
  return (
    <QueryResult query={head} skeleton={<SkeletonRows rows={10} />}>
      {() =>
        rows.length > 0 ? (
          <>
            <NewJobsButton jobs={newJobs} />
            <JobTable
              rows={rows}
              filter={filter}
              showEndpoint={showEndpoint}
              onEnd={onEnd}
              onSight={onSight}
            />
          </>
        ) : (
          <NoJobs endpointId={filter.endpointId} isFiltered={isFiltered} />
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
  endpointId: string | undefined;
  isFiltered: boolean;
}

function NoJobs({ endpointId, isFiltered }: NoJobsProps) {
  if (isFiltered) return <p className="py-8 text-center text-muted">No jobs match the filters</p>;
  return (
    <Empty
      title="No jobs yet"
      curl={curl("POST", `/v2/${endpointId ?? "ENDPOINT_ID"}/run`, { input: { prompt: "Hello" } })}
    >
      Submit a job to an endpoint. It waits in the queue until a worker is ready.
    </Empty>
  );
}
