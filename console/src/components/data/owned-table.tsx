// A searchable table of what members create: with its owners, and a choice of the member's own.

import { labelTexts } from "../format/labels.ts";
import { type Owned, useOwnerFilter, withOwners } from "./owner-filter.tsx";
import { SearchableTable, type TableProps } from "./searchable-table.tsx";

export function OwnedTable<Row extends Owned>(props: Omit<TableProps<Row>, "filter">) {
  const filter = useOwnerFilter();
  const columns = withOwners(props.columns, props.query.data ?? [], 1);
  const textsOf = (row: Row) => [...props.textsOf(row), ...labelTexts(row)];
  return <SearchableTable {...props} columns={columns} textsOf={textsOf} filter={filter} />;
}
