// The page docs/simulator.md: what the simulator does, what a year of it covered, and which planted bugs it found.

import type { Outcome } from "./simulate.ts";

export interface Finding {
  mutation: string;
  file: string;
  /** Null if no seed showed it. */
  found: { seed: number; invariant: string; step: number } | null;
  /** The test that found it, if it is not the simulator that must. */
  suite?: { file: string; test: string };
}

const INTRODUCTION = `# Simulator

The simulator is a test of Freehold itself. It runs the whole service in one process, with the [simulated driver](simulated-driver.md),
under a clock that only it moves: one service on SQLite, or several [replicas](replicas.md) on a PostgreSQL server of its own.
Random actions of clients, operators and bad luck follow each other: jobs with every policy, schedules, endpoints, Pods, volumes,
accounts, credits, budgets, prices, workers that fail, hang and vanish, [faults](faults.md), orderly restarts, and kills. After
each action it checks invariants, which read the database and the driver rather than ask the service's own code.

\`\`\`
npm run simulate -- --seed 7 --hours 8760
npm run simulate -- --seed 7 --hours 10 --replicas 2
\`\`\`

The last lines name the step, the action and the invariant that was violated. \`--trace\` prints what happens. \`--mutation "a ledger entry is lost"\` plants a bug from
[test/simulator/mutations](../test/simulator/mutations/catalog.ts) while the source is loaded.

## Invariants

| about | invariant |
| --- | --- |
| jobs | an accepted job is stored until its retention is over; it ends once, by the end of its ttl, and keeps its result; the output of a worker that echoes is the job's input |
| jobs | no concurrency key has more jobs in the queue or running than its limit, and none is held while the key has room |
| jobs | the counters of each endpoint equal its jobs |
| jobs | a job has one holder at a time, which is a worker that lives, and each claim is delivered once |
| schedules | each instant has one run, and a run has an instant of its schedule; while no replica runs, the policy for missed runs applies |
| loops | every loop has another pass in time, whatever the clock was set to |
| reads | the state of a job, the counts of a queue and the list of Pods are what the store holds, at every replica |
| workloads | no two running workloads have the same GPU; a GPU is held by what runs or will run |
| workloads | what runs on a machine is wanted there, and what is shown as running runs; a lost machine keeps no workers; a machine whose replica serves is not lost |
| money | every ledger transaction sums to zero, and every balance is the sum of its entries |
| money | each account is charged what its usages owe, as one exact sum per resource: no remainder of a micro-dollar is lost; a usage is charged to its end |
| money | whatever runs, and every disk that outlives a stop, is metered at its price, and nothing else is |
| money | nothing runs for longer than 75 seconds without credits or beyond a budget; when something is created, the credits last for an hour of all that is desired then |
| money | whatever was seen running is paid for at that instant |
| requests | no request fails with a status of 500 or more, unless a fault struck it or no machine has room |

The bounds of time begin anew when a replica stopped, was killed or was cut off: another one takes over its loops first.

Workers' long polls and pings come every five virtual seconds in steps of up to two minutes, and at most 24 times in a longer step,
as [during a move of a virtual clock](testing.md#time). Endpoints whose workers only crash are paused before more than three hours
without actions.

## Clocks

The service's clock is set forward and back by seconds, minutes and hours in the middle of calls: the host's on SQLite, the
database's on PostgreSQL, which each replica follows with the product's own loop. The engines' clocks, which say when containers
started and ended, are wrong by as much. What the simulator expects to happen in time it measures in ticks.

## Replicas

With \`--replicas 2\` a replica may stop, be killed, stand still, or be cut off from the database while its workloads run on,
and come back, each in the middle of calls; the answers to commits are lost for a while; the PostgreSQL server crashes and
restarts. A replica that stands still does so for longer than each lease. Calls go to the replicas in rotation. Time passes in moves
of two minutes, because heartbeats decide who leads and which machines are lost.

## What a seed repeats

On SQLite the seed decides everything: the same seed repeats a failure, and the trace of two runs is equal.

A PostgreSQL server answers when it likes. The clock therefore moves only once all replicas are idle: no statement and no call is
under way. The seed decides which actions are drawn, and so the operations and the trouble; the order in which statements of one
step meet at the server is not repeated, nor are the ids that follow from it. A failure may therefore need several runs to show again. An
invariant that is violated is checked once more after half a second, so that a late notification between two reads is no failure.

The simulator does not cover webhooks, GraphQL, REST v2, load-balancing endpoints, S3 or SSH: other tests do.
`;

interface Results {
  year: Outcome[];
  /** Runs of two replicas on PostgreSQL. */
  replicas: Outcome[];
  findings: Finding[];
}

export function simulatorPage({ year, replicas, findings }: Results): string {
  const sections = [
    coverage("Coverage of a year", year),
    coverage("Coverage of two replicas on PostgreSQL", replicas),
    plantedBugs(findings),
  ];
  return `${[INTRODUCTION, ...sections].join("\n")}\n`;
}

const sum = (year: Outcome[], field: "virtualHours" | "cpuSeconds" | "steps" | "calls") =>
  year.reduce((total, outcome) => total + outcome[field], 0);

const rateOf = (hours: number, cpuSeconds: number) =>
  Number(((hours / cpuSeconds) * 60).toPrecision(2));

function coverage(title: string, year: Outcome[]): string {
  const [hours, cpu] = [sum(year, "virtualHours"), sum(year, "cpuSeconds")];
  const violations = year.filter(({ violation }) => violation !== null).length;
  const seeds = year.map(({ seed }) => seed).join(", ");
  return `## ${title}

\`npm run simulate:page\` wrote this section, from runs with the seeds ${seeds}.

| measure | value |
| --- | --- |
| virtual hours | ${Math.round(hours)} |
| CPU time | ${Math.round(cpu)} s, ${rateOf(hours, cpu)} virtual hours per minute |
| actions, each followed by all checks | ${sum(year, "steps")} |
| calls of clients and workers | ${sum(year, "calls")} |
| violated invariants | ${violations} |

| what | how often |
| --- | --- |
${coverageRows(year)}
`;
}

const KINDS = {
  action: "actions",
  "job move": "moves of jobs, as seen between two checks",
  "pod move": "moves of Pods (desired/observed)",
  "worker move": "moves of workers (desired/observed)",
  policy: "policies of jobs",
  workload: "ends and hangs from outside",
  fault: "faults",
};

function coverageRows(year: Outcome[]): string {
  const rows = Object.entries(KINDS).map(([kind, title]) => {
    const totals = new Map<string, number>();
    for (const { counts } of year)
      for (const [key, count] of Object.entries(counts)) {
        if (!key.startsWith(`${kind} `)) continue;
        const name = key.slice(kind.length + 1);
        totals.set(name, (totals.get(name) ?? 0) + count);
      }
    const found = [...totals].sort(([, a], [, b]) => b - a);
    return `| ${title} | ${found.map(([name, count]) => `${name}: ${count}`).join(", ")} |`;
  });
  return rows.join("\n");
}

function plantedBugs(findings: Finding[]): string {
  const rows = findings.map(({ mutation, file, found, suite }) => {
    const how = suite
      ? `| ${found ? `${linkTo(suite.file)}: "${suite.test}"` : "not found"}`
      : found
        ? `${found.invariant} | seed ${found.seed}, step ${found.step}`
        : "not found | ";
    return `| ${mutation} | ${linkTo(file)} | ${how} |`;
  });
  const ofSimulator = findings.filter(({ suite }) => !suite);
  const count = ofSimulator.filter(({ found }) => found).length;
  return `## Planted bugs

The simulator found ${count} of ${ofSimulator.length} bugs of one line each, by the invariants above. Of faults that need a real session of
PostgreSQL, or that a short history may miss, the last column names the test that finds them.

| bug | file | violated invariant | found |
| --- | --- | --- | --- |
${rows.join("\n")}`;
}

const linkTo = (file: string) => `[${file.slice(file.lastIndexOf("/") + 1)}](../${file})`;
