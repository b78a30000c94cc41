// The queries of a round trip, with the calls of one statement as one (../text/several.ts).

import type { Query } from "../statement.ts";
import { type SeveralCalls, severalOf } from "../text/several.ts";
import { arrayOf } from "./wire/array.ts";

export interface Merged {
  queries: Query[];
  /** Turns their results into those of the calls. */
  split(results: unknown[]): unknown[];
}

interface Group {
  several: SeveralCalls | undefined;
  /** Positions of its calls in the round trip. */
  at: number[];
}

/**
 * New rows come first, so that a claim finds the jobs that are submitted beside it. Otherwise a statement's calls take the
 * place of the first of them, and none passes a statement that always runs alone.
 */
export function merge(calls: Query[]): Merged {
  const groups = groupsOf(calls);
  return {
    queries: groups.map(({ several, at }) =>
      several && at.length > 1
        ? oneOf(
            several,
            at.map((n) => calls[n]!),
          )
        : calls[at[0]!]!,
    ),
    split(results) {
      const split: unknown[] = new Array(calls.length);
      for (const [n, { several, at }] of groups.entries()) {
        const own = several && at.length > 1 ? resultsOf(results[n], at, calls) : [results[n]];
        for (const [k, position] of at.entries()) split[position] = own[k];
      }
      return split;
    },
  };
}

function groupsOf(calls: Query[]): Group[] {
  const groups: Group[] = [];
  let inserts: Group[] = [];
  let others: Group[] = [];
  let open = new Map<string, Group>();
  const close = () => {
    groups.push(...inserts, ...others);
    [inserts, others, open] = [[], [], new Map()];
  };
  for (const [n, { sql, params }] of calls.entries()) {
    const several = severalOf(sql);
    if (!several) {
      close();
      groups.push({ several, at: [n] });
      continue;
    }
    const key = keyOf(sql, several, params);
    let group = open.get(key);
    if (!group) {
      group = { several, at: [] };
      open.set(key, group);
      (several.isInsert ? inserts : others).push(group);
    }
    group.at.push(n);
  }
  close();
  return groups;
}

function keyOf(sql: string, { shared }: SeveralCalls, params: Query["params"]): string {
  return shared.length === 0 ? sql : `${sql} ${JSON.stringify(shared.map((n) => params[n]))}`;
}

function oneOf({ sql, types, shared }: SeveralCalls, calls: Query[]): Query {
  const arrays = types.map((type, n) =>
    arrayOf(
      type,
      calls.map(({ params }) => params[n]!),
    ),
  );
  const [first] = calls;
  return { sql, params: [...arrays, ...shared.map((n) => first!.params[n]!)], rows: true };
}

function resultsOf(rows: unknown, at: number[], calls: Query[]): unknown[] {
  const { sql, rows: areWanted } = calls[at[0]!]!;
  if (severalOf(sql)!.isInsert) return at.map(() => 1);
  const own: { nth: number }[][] = at.map(() => []);
  for (const row of rows as { nth: number }[]) own[row.nth - 1]!.push(row);
  return areWanted ? own : own.map(({ length }) => length);
}
