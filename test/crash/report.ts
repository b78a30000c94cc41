// The counts of a run, as docs/durability.md records them.

import type { Outcome } from "./run.ts";

export function report({ kills, tookMs, ledger, verdict }: Outcome): string {
  const { repeated } = ledger;
  const results = [...ledger.recorded.values()].flat().length;
  const rows: [string, number | string][] = [
    ["kills (SIGKILL) while serving", kills.serving],
    ["kills (SIGKILL) while starting", kills.starting],
    ["jobs submitted and acknowledged", ledger.acknowledged.size],
    ["jobs found afterwards", verdict.jobs],
    ["  completed, each with its own output", verdict.completed],
    ["  cancelled by their client", verdict.cancelled],
    ["  given up after two lost dispatches", verdict.givenUp],
    ["  dispatched a second time", verdict.dispatchedAgain],
    ["  given again to the worker that had it", ledger.retaken.size],
    ["held by a concurrency key, summed over the kills", ledger.heldAtKills],
    ["results acknowledged to workers", results],
    ["chunks acknowledged to workers", ledger.chunks],
    ["final answers shown to clients", ledger.shown.size],
    ["requests repeated for want of an answer", repeated.submits + repeated.results],
    ["results that came a second time", repeated.late],
    ["promises broken", verdict.broken.length],
    ["seconds", Math.round(tookMs / 1_000)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
