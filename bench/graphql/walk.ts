// A walk over 10,000 Pods by the cursors of REST v2: a page costs the same at the end as at the start.

import { DatabaseSync } from "node:sqlite";
import { fetchOnce, type Server } from "./rate.ts";

export const WALKED = 10_000;
const PAGE = 100;
const WALKS = 5;

/** Copies stopped Pods from those of a service that does not run. */
export function copyPods(file: string): void {
  const db = new DatabaseSync(file);
  const columns = db.prepare("select name from pragma_table_info('pod')").all() as {
    name: string;
  }[];
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => {
    if (name === "id") return "substr(id, 1, 9) || printf('%05d', ?)";
    if (name === "created_at") return "created_at - ? * 1000";
    return name === "state" ? "'EXITED'" : name;
  });
  const { count } = db.prepare("select count(*) as count from pod").get() as { count: number };
  const copy = db.prepare(
    `insert into pod (${names.join(", ")}) select ${values.join(", ")} from pod limit ?`,
  );
  for (let n = 1; n * count < WALKED; n++) copy.run(n, n, count);
  db.close();
}

/** The milliseconds of each page, the median of some walks; fails if a Pod is missing or repeated. */
export async function walkTimes(server: Server): Promise<number[]> {
  const walks: number[][] = [];
  for (let n = 0; n <= WALKS; n++) walks.push(await walk(server));
  // The first walk warms up.
  const [, ...measured] = walks;
  return measured[0]!.map((_, page) => median(measured.map((times) => times[page]!)));
}

async function walk(server: Server): Promise<number[]> {
  const times: number[] = [];
  const ids = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/v2/pods?limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
    const begun = performance.now();
    const text = await fetchOnce(server, { name: "page", method: "GET", path });
    times.push(performance.now() - begun);
    const { pods, pagination } = JSON.parse(text);
    for (const { id } of pods) ids.add(id);
    cursor = pagination.nextCursor;
  }
  if (ids.size !== WALKED) throw new Error(`a walk found ${ids.size} Pods of ${WALKED}`);
  return times;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
