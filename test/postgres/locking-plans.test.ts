// The plans of statements that change the rows which a subquery locks, up to a limit. A plan that ran the subquery for each
// row would lock and change more rows than the limit.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { BY_INDEX } from "../../src/store/engine/postgres/open.ts";
import { PostgresSession } from "../../src/store/engine/postgres/wire/session.ts";
import type { Query, Tx } from "../../src/store/engine/statement.ts";
import { severalOf } from "../../src/store/engine/text/several.ts";
import { lockArchivedOf } from "../../src/store/job/archive/archive.ts";
import { claimQueued } from "../../src/store/job/claim.ts";
import { renewLease } from "../../src/store/job/lease.ts";
import { setAdmitted, setHeld } from "../../src/store/job/schedule/concurrency.ts";
import { lockDelayed, setReleased } from "../../src/store/job/schedule/delay.ts";
import { setAdmittedAtRate, setHeldByRate } from "../../src/store/job/schedule/rate-limit.ts";
import { freshDatabase, missing } from "./database.ts";

const queryOf = (transaction: Tx<unknown>) => transaction.next().value as Query;
const worker = { endpointId: "e", workerId: "w" };
const key = { endpointId: "e", key: "k" };

const statements: Record<string, { file: string; query: Query }> = {
  "release delayed jobs": { file: "schedule/delay.ts", query: queryOf(setReleased(1, 9)) },
  "lock delayed jobs": {
    file: "schedule/delay.ts",
    query: queryOf(lockDelayed("e", Number.MAX_SAFE_INTEGER, 9)),
  },
  "admit jobs of a key": {
    file: "schedule/concurrency.ts",
    query: queryOf(setAdmitted(key, 9, 1)),
  },
  "hold jobs of keys": { file: "schedule/concurrency.ts", query: queryOf(setHeld(1, 9)) },
  "admit jobs at a rate": {
    file: "schedule/rate-limit.ts",
    query: queryOf(setAdmittedAtRate(key, 9, 1)),
  },
  "hold jobs at rates": { file: "schedule/rate-limit.ts", query: queryOf(setHeldByRate(1, 9)) },
  "lock archived jobs": { file: "archive/archive.ts", query: queryOf(lockArchivedOf("e", 9)) },
  "claim one job": { file: "claim.ts", query: queryOf(claimQueued(worker, 1, 1, 2)) },
  "claim several jobs": { file: "claim.ts", query: queryOf(claimQueued(worker, 9, 1, 2)) },
  "renew a lease": { file: "lease.ts", query: queryOf(renewLease("j", "w", 2)) },
};
const claim = statements["claim one job"]!.query.sql;
statements["claims of several calls"] = {
  file: "claim.ts",
  query: {
    sql: severalOf(claim)!.sql,
    params: ["{w}", "{1}", "{2}", "{e}", "{1}", "{w}", "e"],
    rows: true,
  },
};

interface Plan {
  "Node Type": string;
  "Parent Relationship"?: string;
  Plans?: Plan[];
}

/** The nodes above the one that locks the rows, from the top. */
function pathToLock(plan: Plan): Plan[] | null {
  if (plan["Node Type"] === "LockRows") return [plan];
  for (const each of plan.Plans ?? []) {
    const below = pathToLock(each);
    if (below) return [plan, ...below];
  }
  return null;
}

const literal = (value: unknown) =>
  typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

describe("a subquery that locks rows runs once", { skip: missing }, () => {
  for (const [name, { query }] of Object.entries(statements)) {
    test(`to ${name}`, async (t) => {
      const session = await PostgresSession.open(
        await freshDatabase(t),
        systemClock,
        "writes",
        BY_INDEX,
      );
      t.after(() => session.close());
      const values = query.params.map(literal).join(", ");
      const [, rows] = await session.run([
        { sql: `prepare locking as ${query.sql}`, params: [], rows: false },
        { sql: `explain (format json) execute locking (${values})`, params: [], rows: true },
      ]);
      const text = (rows as Record<string, string>[])[0]!["QUERY PLAN"]!;
      const [{ Plan: plan }] = JSON.parse(text);
      const path = pathToLock(plan);
      assert.ok(path, text);
      for (const each of path) {
        // The inner side of a nested loop runs for each row of the outer one, and so does a subplan.
        const relationship = each["Parent Relationship"];
        assert.ok(relationship !== "Inner" && relationship !== "SubPlan", text);
      }
    });
  }

  test("and every such statement is here", () => {
    const locking = /\/\*\+ for (?:update|share)[^*]*\*\/\s*\)/; // the hint ends a subquery
    const files = globSync("src/store/**/*.ts")
      .filter((file) => locking.test(readFileSync(file, "utf8")))
      .map((file) => file.replace("src/store/job/", ""));
    const listed = new Set(Object.values(statements).map(({ file }) => file));
    assert.deepEqual(files.sort(), [...listed].sort());
  });
});
