// A table with a search field, a count and an empty state.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchText } from "../../use-search-param.ts";
import { matchesSearch, SearchInput } from "../control/search-input.tsx";
import { formatShown } from "../format/units.ts";
import { SkeletonRows } from "../layout/skeleton.tsx";
import { QueryResult } from "./query-result.tsx";
import { type Column, Table } from "./table.tsx";

export interface TableProps<Row> {
  query: UseQueryResult<Row[], unknown>;
  /** The noun for a row: "secret"; `plural` is needed if it is not `singular` + "s". */
  singular: string;
  plural?: string;
  columns: Column<Row>[];
  idOf: (row: Row) => string;
  /** The searchable texts of a row. */
  textsOf: (row: Row) => (string | null | undefined)[];
  empty: ReactNode;
  /** A control that chooses rows, and which it chooses. */
  filter?: { control: ReactNode; matches: (row: Row) => boolean };
}

export function SearchableTable<Row>(props: TableProps<Row>) {
  const { query, singular, plural = `${singular}s`, columns, idOf, textsOf, empty } = props;
  const { control = null, matches = () => true } = props.filter ?? {};
  const [search, setSearch] = useSearchText();
  return (
    <QueryResult query={query} skeleton={<SkeletonRows rows={4} />}>
      {(all) => {
        if (all.length === 0) return empty;
        const choice = all.filter(matches);
        const rows = choice.filter((row) => matchesSearch(search, ...textsOf(row)));
        return (
          <>
            <div className="mb-3 flex flex-wrap items-center gap-3">
              {control}
              <SearchInput label={`Search ${plural}`} value={search} onChange={setSearch} />
              <p className="ml-auto text-sm text-muted">
                {formatShown(rows.length, choice.length, singular, plural)}
              </p>
            </div>
            <Table label={plural} columns={columns} rows={rows} idOf={idOf} />
          </>
        );
      }}
    </QueryResult>
  );
}
