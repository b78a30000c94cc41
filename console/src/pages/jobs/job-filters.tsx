// The filters above a list of jobs. They are part of the address, so that a filtered list can be shared.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { SearchInput } from "../../components/control/search-input.tsx";
import { Select } from "../../components/form/field.tsx";
import { type JobSearch, parseJobSearch } from "./job-search.ts";
import { jobStatuses } from "./job-status.tsx";

/** A text is applied when typing pauses. */
const TYPING_MS = 300;

/** Shorter beginnings of ids are refused. */
const MIN_ID_CHARS = 8;

const ranges = { "15m": "15 minutes", "1h": "Hour", "1d": "Day", "7d": "7 days" };

export function useJobSearch() {
  const search = parseJobSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changed: Partial<Record<keyof JobSearch, string>>) => {
    const next = parseJobSearch({ ...search, ...changed });
    void navigate({ to: ".", search: next as never, replace: true });
  };
  return { search, change };
}

export function JobFilters({ hasEndpoint }: { hasEndpoint: boolean }) {
  const { search, change } = useJobSearch();
  const isFiltered = Object.keys(search).length > 0;
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <FilterSelect label="Status" value={search.status} onChange={(status) => change({ status })}>
        <option value="">All statuses</option>
        {Object.entries(jobStatuses).map(([state, [, label]]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </FilterSelect>
      {!hasEndpoint && (
        <EndpointSelect value={search.endpoint} onChange={(endpoint) => change({ endpoint })} />
      )}
      <FilterSelect label="Submitted" value={search.since} onChange={(since) => change({ since })}>
        <option value="">Any time</option>
        {Object.entries(ranges).map(([since, label]) => (
          <option key={since} value={since}>
            Last {label.toLowerCase()}
          </option>
        ))}
      </FilterSelect>
      <FilterText label="Error" value={search.error} onChange={(error) => change({ error })} />
      <FilterText label="Worker" value={search.worker} onChange={(worker) => change({ worker })} />
      <FilterText
        label="Job ID"
        value={search.id}
        minLength={MIN_ID_CHARS}
        onChange={(id) => change({ id })}
      />
      {isFiltered && (
        <Button
          small
          variant="quiet"
          onClick={() =>
            change({ status: "", endpoint: "", since: "", error: "", worker: "", id: "" })
          }
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

function FilterSelect({ label, value, onChange, children }: FilterProps & { children: ReactNode }) {
  return (
    <Select
      aria-label={label}
      className="w-auto! max-w-48"
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </Select>
  );
}

function EndpointSelect(props: Omit<FilterProps, "label">) {
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  return (
    <FilterSelect label="Endpoint" {...props}>
      <option value="">All endpoints</option>
      {endpoints.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </FilterSelect>
  );
}

function FilterText({
  label,
  value = "",
  onChange,
  minLength = 1,
}: FilterProps & { minLength?: number }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text changes
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === value || (trimmed !== "" && trimmed.length < minLength)) return;
    const timer = setTimeout(() => onChange(trimmed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchInput label={label} value={text} onChange={setText} />;
}
