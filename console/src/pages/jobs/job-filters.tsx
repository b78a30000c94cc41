// The filters above a list of jobs. They are part of the address, so that a filtered list can be shared.

import { api } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { FilterSelect, FilterText } from "../../components/control/filters.tsx";
import { timeRanges } from "../../components/control/time-ranges.ts";
import { jobStateNames } from "../../components/format/job-state.ts";
import { useFilters } from "../../use-search-param.ts";
import { parseJobSearch } from "./job-search.ts";

/** Shorter beginnings of ids are refused. */
const MIN_ID_CHARS = 8;

const quarantineOptions = [
  ["yes", "Quarantined"],
  ["no", "Not quarantined"],
] as const;

export const useJobSearch = () => useFilters(parseJobSearch);

export function JobFilters({ hasOrigin }: { hasOrigin: boolean }) {
  const { search, change, clear, isFiltered } = useJobSearch();
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <FilterSelect
        label="Status"
        all="All statuses"
        value={search.status}
        onChange={(status) => change({ status })}
        options={Object.entries(jobStateNames)}
      />
      {!hasOrigin && (
        <EndpointSelect value={search.endpoint} onChange={(endpoint) => change({ endpoint })} />
      )}
      <FilterSelect
        label="Submitted"
        all="Any time"
        value={search.since}
        onChange={(since) => change({ since })}
        options={timeRanges}
      />
      <FilterSelect
        label="Quarantine"
        all="Quarantine: any"
        value={search.quarantined}
        onChange={(quarantined) => change({ quarantined })}
        options={quarantineOptions}
      />
      <FilterText label="Error" value={search.error} onChange={(error) => change({ error })} />
      <FilterText label="Worker" value={search.worker} onChange={(worker) => change({ worker })} />
      <FilterText
        label="Job ID"
        value={search.id}
        minLength={MIN_ID_CHARS}
        onChange={(id) => change({ id })}
      />
      {isFiltered && (
        <Button small variant="quiet" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface EndpointProps {
  value: string | undefined;
  onChange: (endpoint: string) => void;
}

function EndpointSelect(props: EndpointProps) {
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  const options = endpoints.map(({ id, name }) => [id, name || id] as const);
  return <FilterSelect label="Endpoint" all="All endpoints" options={options} {...props} />;
}
