// The filter of a list by owner. A member sees what is theirs first, and what everyone has on request.

import type { ReactNode } from "react";
import { seesOwnOnly, useSession } from "../../api/session.ts";
import { useSearchParam } from "../../use-search-param.ts";
import { Choice } from "../control/segmented-control.tsx";
import { type Labeled, labelTexts } from "../format/labels.ts";
import type { Column } from "./table.tsx";

export interface Owned extends Labeled {
  createdBy?: { id: string; name: string } | undefined;
}

interface OwnerFilter {
  matches: (item: Owned) => boolean;
  /** Null for a key of the account, which owns nothing by itself, and for a role whose lists have only its own. */
  control: ReactNode;
}

export function useOwnerFilter(): OwnerFilter {
  const session = useSession();
  const { memberId } = session;
  const [owner, setOwner] = useSearchParam("owner");
  const isOfAll = owner === "everyone";
  if (memberId === undefined || seesOwnOnly(session)) return { matches: () => true, control: null };
  return {
    matches: ({ createdBy }) => isOfAll || createdBy?.id === memberId,
    control: (
      <Choice
        label="Created by"
        value={isOfAll ? "everyone" : "mine"}
        onChange={(value) => setOwner(value === "mine" ? "" : value)}
        options={{ mine: "Mine", everyone: "Everyone" }}
      />
    ),
  };
}

const column: Column<Owned> = {
  title: "Created by",
  width: "minmax(6rem, 1fr)",
  minWidth: "lg",
  sortBy: ({ createdBy }) => createdBy?.name,
  cell: ({ createdBy }) => createdBy?.name,
};

const labelColumn: Column<Owned> = {
  title: "Labels",
  width: "minmax(6rem, 1fr)",
  minWidth: "lg",
  sortBy: (item) => labelTexts(item).join(),
  cell: (item) => labelTexts(item).join(", "),
};

/** The columns with those for the owner and the labels before the last `count`, if any of the rows has them. */
export function withOwners<Row extends Owned>(
  columns: Column<Row>[],
  rows: readonly Owned[],
  count: number,
): Column<Row>[] {
  const used = [
    ...(rows.some(({ createdBy }) => createdBy) ? [column] : []),
    ...(rows.some((item) => labelTexts(item).length > 0) ? [labelColumn] : []),
  ] as Column<Row>[];
  if (used.length === 0) return columns;
  return [...columns.slice(0, -count), ...used, ...columns.slice(-count)];
}
