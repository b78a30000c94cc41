// Bugs that the simulator must find. Each is one line of the product, changed while it is loaded.

import { faults } from "./faults.ts";

export interface Mutation {
  file: string;
  /** Occurs once in the file. */
  before: string;
  after: string;
  /** It shows only among so many replicas on PostgreSQL. */
  replicas?: number;
  /** The test that finds it instead, by its file and part of its name. */
  suite?: { file: string; test: string };
}

export const mutations: Record<string, Mutation> = {
  "a ledger entry is lost": {
    file: "src/transactions/money/post-charges.ts",
    before: `    addEntry(transaction, accountId, "revenue", micros),\n`,
    after: "",
  },
  "a usage that ends is not charged": {
    file: "src/transactions/money/meter.ts",
    before: "  yield* chargeTo(usage, end, end);\n",
    after: "",
  },
  "the remainder of a micro-dollar is lost": {
    file: "src/transactions/money/meter.ts",
    before: "leftOver(intervalOf(last), end) : 0",
    after: "0 : 0",
  },
  "an ended worker is metered on": {
    file: "src/transactions/money/meter.ts",
    before: "  yield* closeUsage(last, wholeUnits(beganAt, at, unitMs));",
    after: "  yield* chargeTo(last, wholeUnits(beganAt, at, unitMs), at);",
  },
  "a price change skips the usages that go on": {
    file: "src/transactions/money/meter.ts",
    before: "  yield* follow(last, { ...last, ...rate }, at, true);",
    after: "",
  },
  "a spent budget stops nothing": {
    file: "src/loops/money/enforce-budgets.ts",
    before: "return current && isSpent(current, now) ? ",
    after: "return current && now < 0 ? ",
  },
  "credits that are used up stop nothing": {
    file: "src/loops/money/enforce-balance.ts",
    before: "const isEmpty = has.balance <= 0;",
    after: "const isEmpty = has.balance <= -1e9;",
  },
  "a GPU is not released": {
    file: "src/store/held-gpu/held-gpu.ts",
    before: "delete from held_gpu where holder = ?",
    after: "delete from held_gpu where holder = ? and 1 = 0",
  },
  "a GPU is not recorded as held": {
    file: "src/store/held-gpu/held-gpu.ts",
    before: "for (const gpu of gpus) {",
    after: "for (const gpu of gpus.slice(1)) {",
  },
  "a concurrency key admits one job too many": {
    file: "src/transactions/job/schedule/admit-by-key.ts",
    before: "Math.min(held, freeSlots(limit, admitted))",
    after: "Math.min(held, freeSlots(limit, admitted) + 1)",
  },
  "an admitted job is not counted": {
    file: "src/transactions/job/schedule/publish-admitted.ts",
    before: "{ in_queue: jobs.length, delayed: -jobs.length }",
    after: "{ in_queue: jobs.length }",
  },
  "the end of a job admits no other": {
    file: "src/transactions/job/schedule/admissions.ts",
    before: "  if (concurrency === null) return;\n",
    after: "  if (concurrency === null || !newest) return;\n",
  },
  "a worker that must end goes on": {
    file: "src/domain/worker/diff.ts",
    before: `if (worker.desired === "end" || finished)`,
    after: "if (finished && worker.observed === 'new')",
  },
  "a ttl is not checked while a job runs": {
    file: "src/domain/job/expiry.ts",
    before: `  if (now >= job.ttlAt) return { event: "expire" };\n`,
    after: "",
  },
  "a result is deleted too early": {
    file: "src/store/job/retention.ts",
    before: "where forget_at <= ? and",
    after: "where forget_at <= ? + 200000000 and",
  },
  "a schedule fires an instant again": {
    file: "src/domain/schedule/plan-runs.ts",
    before: "nextRunAt: times.next(now),",
    after: "nextRunAt: times.next(now - 1),",
  },
  "a job that waits for its start is not shown in the queue": {
    file: "src/flows/endpoint/health.ts",
    before: "inQueue: jobs.inQueue + jobs.delayed,",
    after: "inQueue: jobs.inQueue,",
  },
  "a lost machine keeps its workers": {
    file: "src/transactions/machine/lose.ts",
    before: "if (yield* wasSeenSince(machine, seenUpTo)) return 0;",
    after: "if (true) return 0;",
    replicas: 2,
  },
  ...faults,
};
