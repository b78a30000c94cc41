// The filters above the audit log. They are part of the address, so that a filtered log can be shared.

import { api } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { FilterSelect, FilterText } from "../../components/control/filters.tsx";
import { timeRanges } from "../../components/control/time-ranges.ts";
import { useFilters } from "../../use-search-param.ts";
import { parseAuditSearch } from "./audit-search.ts";

export const useAuditSearch = () => useFilters(parseAuditSearch);

export function AuditFilters() {
  const { search, change, clear, isFiltered } = useAuditSearch();
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <FilterSelect
        label="Time"
        all="Any time"
        value={search.since}
        onChange={(since) => change({ since })}
        options={[...timeRanges, ["30d", "Last 30 days"]]}
      />
      <FilterSelect
        label="Actor"
        all="All actors"
        value={search.actor}
        onChange={(actor) => change({ actor })}
        options={useActors()}
      />
      <FilterSelect
        label="Outcome"
        all="All outcomes"
        value={search.outcome}
        onChange={(outcome) => change({ outcome })}
        options={[
          ["done", "Done"],
          ["refused", "Refused"],
        ]}
      />
      <FilterText label="Action" value={search.action} onChange={(action) => change({ action })} />
      <FilterText
        label="Resource ID"
        value={search.resource}
        onChange={(resource) => change({ resource })}
      />
      {isFiltered && (
        <Button small variant="quiet" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

function useActors(): [value: string, name: string][] {
  const { data: members = [] } = api.useQuery("get", "/v1/members");
  const { data: keys = [] } = api.useQuery("get", "/v1/keys");
  return [
    ...members.map(({ id, email }): [string, string] => [`member:${id}`, email]),
    ...keys.map(({ id, name }): [string, string] => [`key:${id}`, `Key ${name}`]),
    ["pod", "Pods"],
    ["system", "Freehold"],
  ];
}
