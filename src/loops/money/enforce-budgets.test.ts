// Tests that the loop stops what a spent budget covers at that moment.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { gpuMachine, rentPod } from "../../../test/conformance/store/pod/pod.ts";
import { VirtualClock } from "../../base/clock.ts";
import type { Budget } from "../../domain/money/budget.ts";
import { insertBudget } from "../../store/budget/budget.ts";
import { podsUnderBudget } from "../../store/budget/workloads.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { changePod, findPod } from "../../store/pod/row.ts";
import { enforceBudgetsLoop } from "./enforce-budgets.ts";

const silent = { info() {}, warn() {}, error() {} };

/** Spent from the start. */
const budget: Budget = {
  labels: {},
  id: "b",
  accountId: "account",
  name: "",
  scope: "label",
  subjectId: "team=vision",
  period: "day",
  limit: 0,
  createdAt: 0,
  warnedAt: null,
  warnedUntil: null,
  spentAt: null,
  spentUntil: null,
};

test("a Pod that loses the label after the pass has read it is not stopped", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-budgets-"));
  const { store, now } = await Fixture.set(
    async () => openSqlite(path.join(folder, "freehold.db")),
    t,
  );
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await gpuMachine(store, "m", now);
  for (const id of ["p", "q"]) {
    await store.write(rentPod, id, now);
    await store.write(changePod, id, { labels: { team: "vision" } });
  }
  await store.write(insertBudget, budget);
  const relabeling = {
    write: store.write.bind(store),
    async read(transaction: unknown, ...args: unknown[]) {
      const result = await store.read(transaction as never, ...(args as never));
      if (transaction === podsUnderBudget) {
        await store.write(changePod, "q", { labels: { team: "search" } });
      }
      return result;
    },
  } as unknown as Store;
  const deps = { store: relabeling, clock: new VirtualClock(now), log: silent };
  await enforceBudgetsLoop({ ...deps, protocol: { budgetGraceMs: 60_000 } }).run();
  const stateOf = async (id: string) => (await store.read(findPod, id))?.desired.state;
  assert.deepEqual([await stateOf("p"), await stateOf("q")], ["EXITED", "RUNNING"]);
});
