// The report of one run, as text for a terminal.

import type { Outcome } from "./outcome.ts";

export function reportText({ seed, counts, violation, ...outcome }: Outcome): string {
  const { virtualHours, cpuSeconds, steps, calls, trace } = outcome;
  const rate = Math.round((virtualHours / cpuSeconds) * 60);
  return [
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(7)}  ${name}`),
    `seed ${seed}: ${Math.round(virtualHours)} virtual hours, ${steps} steps, ${calls} calls`,
    `${cpuSeconds.toFixed(1)} s of CPU (${rate} virtual hours per minute of CPU), trace ${trace.slice(0, 16)}`,
    violation
      ? `VIOLATED at step ${violation.step}, after ${violation.action}: ${violation.message}`
      : "every invariant held",
  ].join("\n");
}
