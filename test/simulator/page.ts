// The sections of docs/simulator.md that runs write: what a year covered, and which planted bugs were found.

import type { Outcome } from "./outcome.ts";

export interface Finding {
  mutation: string;
  file: string;
  /** Null if no seed showed it. */
  found: { seed: number; invariant: string; step: number } | null;
  /** The test that found it, if it is not the simulator that must. */
  suite?: { file: string; test: string };
}

const FIRST_SECTION = "Coverage of a year";

interface Results {
  year: Outcome[];
  /** Runs of two replicas on PostgreSQL. */
  replicas: Outcome[];
  findings: Finding[];
}

/** `page` is the page as it is, whose text before these sections stays. */
export function simulatorPage(page: string, { year, replicas, findings }: Results): string {
  const sections = [
    page.slice(0, page.indexOf(`## ${FIRST_SECTION}`)).trimEnd(),
    "",
    coverage(FIRST_SECTION, year),
    coverage("Coverage of two replicas on PostgreSQL", replicas),
    plantedBugs(findings),
  ];
  return `${sections.join("\n")}\n`;
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
