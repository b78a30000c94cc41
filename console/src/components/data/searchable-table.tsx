// A table with a search field, a count and an empty state.

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { matchesSearch, SearchInput } from "../control/search-input.tsx";
import { formatQuantity } from "../format/units.ts";
import { SkeletonRows } from "../layout/skeleton.tsx";
import { QueryResult } from "./query-result.tsx";
import { type Column, Table } from "./table.tsx";

interface Props<Row> {
  query: UseQueryResult<Row[], unknown>;
  /** The noun for a row: "secret"; `plural` is needed if it is not `singular` + "s". */
  singular: string;
  plural?: string;
  columns: Column<Row>[];
  idOf: (row: Row) => string;
  /** The searchable texts of a row. */
  textsOf: (row: Row) => (string | null | undefined)[];
  empty: ReactNode;
}

export function SearchableTable<Row>(props: Props<Row>) {
  const { query, singular, plural = `${singular}s`, columns, idOf, textsOf, empty } = props;
  const [search, setSearch] = useState("");
  return (
    <QueryResult query={query} skeleton={<SkeletonRows rows={4} />}>
      {(rows) =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
              <SearchInput label={`Search ${plural}`} value={search} onChange={setSearch} />
              <p className="text-sm text-muted">{formatQuantity(rows.length, singular, plural)}</p>
            </div>
            <Table
              label={plural}
              columns={columns}
              rows={rows.filter((row) => matchesSearch(search, ...textsOf(row)))}
              idOf={idOf}
            />
          </>
        )
      }
    </QueryResult>
  );
}
