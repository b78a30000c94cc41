// A page's list: searched, counted, and where there is nothing, what would be there.

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Loaded } from "./loaded.tsx";
import { fits, SearchInput } from "./search.tsx";
import { SkeletonRows } from "./skeleton.tsx";
import { type Column, Table } from "./table.tsx";
import { counted } from "./units.ts";

interface Props<Row> {
  query: UseQueryResult<Row[], unknown>;
  /** What is listed: "secret", and where "s" does not do, "secrets". */
  one: string;
  many?: string;
  columns: Column<Row>[];
  idOf: (row: Row) => string;
  /** The texts of a row that are searched. */
  textsOf: (row: Row) => (string | null | undefined)[];
  empty: ReactNode;
}

export function Listing<Row>(props: Props<Row>) {
  const { query, one, many = `${one}s`, columns, idOf, textsOf, empty } = props;
  const [search, setSearch] = useState("");
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={4} />}>
      {(rows) =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
              <SearchInput label={`Search ${many}`} value={search} onChange={setSearch} />
              <p className="text-sm text-muted">{counted(rows.length, one, many)}</p>
            </div>
            <Table
              label={many}
              columns={columns}
              rows={rows.filter((row) => fits(search, ...textsOf(row)))}
              idOf={idOf}
            />
          </>
        )
      }
    </Loaded>
  );
}
