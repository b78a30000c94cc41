// The page docs/simulator.md: what the simulator does, what a year of it covered, and which planted bugs it found.

import type { Outcome } from "./simulate.ts";

export interface Finding {
  mutation: string;
  file: string;
  /** Null if no seed showed it. */
  found: { seed: number; invariant: string; step: number } | null;
}

const INTRODUCTION = `# Simulator

The simulator is a test of Freehold itself. It runs the whole service in one process, with the [fake driver](fake-driver.md)
and SQLite, under a clock that only it moves. Random actions of clients, operators and bad luck follow each other: jobs with
every policy, schedules, endpoints, Pods, volumes, accounts, credits, budgets, prices, workers that fail, hang and vanish,
[faults](faults.md), orderly restarts, and kills. After each action it checks invariants, which read the database and the driver
rather than ask the service's own code.

\`\`\`
npm run simulate -- --seed 7 --hours 8760
\`\`\`

The seed decides everything, so the same seed repeats a failure. The last lines name the step, the action and the invariant that
was violated. \`--mutation "a ledger entry is lost"\` plants a bug from
[test/simulator/mutations](../test/simulator/mutations/catalog.ts) while the source is loaded.

## Invariants

| about | invariant |
| --- | --- |
| jobs | an accepted job is stored until its retention is over; it ends once, by the end of its ttl, and keeps its result; the output of a worker that echoes is the job's input |
| jobs | no concurrency key has more jobs in the queue or running than its limit, and none is held while the key has room |
| jobs | the counters of each endpoint equal its jobs |
| workloads | no two running workloads have the same GPU; a GPU is held by what runs or will run |
| workloads | what runs on the machine is wanted, and what is shown as running runs |
| money | every ledger transaction sums to zero, and every balance is the sum of its entries |
| money | each account is charged what its usages owe, as one exact sum per resource: no remainder of a micro-dollar is lost |
| money | whatever runs, and every disk that outlives a stop, is metered at its price, and nothing else is |
| money | nothing runs for longer than 75 seconds without credits or beyond a budget |
| requests | no request fails with a status of 500 or more, unless a fault struck it or no machine has room |

Workers' long polls and pings come every five virtual seconds in steps of up to two minutes, and at most 24 times in a longer step,
as [during a move of a virtual clock](testing.md#time).

It does not cover PostgreSQL, several replicas, webhooks, GraphQL, REST v2, load-balancing endpoints, S3 or SSH: other tests do.
`;

export function simulatorPage(year: Outcome[], findings: Finding[]): string {
  return `${[INTRODUCTION, coverage(year), plantedBugs(findings)].join("\n")}\n`;
}

const sum = (year: Outcome[], field: "virtualHours" | "cpuSeconds" | "steps" | "calls") =>
  year.reduce((total, outcome) => total + outcome[field], 0);

function coverage(year: Outcome[]): string {
  const [hours, cpu] = [sum(year, "virtualHours"), sum(year, "cpuSeconds")];
  const violations = year.filter(({ violation }) => violation !== null).length;
  const seeds = year.map(({ seed }) => seed).join(", ");
  return `## Coverage of a year

\`npm run simulate:page\` wrote this and the next section, from runs with the seeds ${seeds}.

| measure | value |
| --- | --- |
| virtual hours | ${Math.round(hours)} |
| CPU time | ${Math.round(cpu)} s, ${Math.round(((hours / cpu) * 60) / 100) * 100} virtual hours per minute |
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
  const rows = findings.map(({ mutation, file, found }) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    const how = found
      ? `${found.invariant} | seed ${found.seed}, step ${found.step}`
      : "not found | ";
    return `| ${mutation} | [${name}](../${file}) | ${how} |`;
  });
  const found = findings.filter((each) => each.found !== null).length;
  return `## Planted bugs

The simulator found ${found} of ${findings.length} bugs of one line each, by the invariants above.

| bug | file | violated invariant | found |
| --- | --- | --- | --- |
${rows.join("\n")}`;
}
