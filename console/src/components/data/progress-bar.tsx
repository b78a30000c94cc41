// Progress as a bar with a part for each outcome.

import type { Tone } from "./status.tsx";

interface Props {
  label: string;
  total: number;
  /** What is done, by its outcome. The rest of the total is left. */
  parts: { count: number; tone: Tone | "accent" }[];
}

const fills = {
  accent: "bg-accent",
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  info: "bg-info",
  off: "bg-line-strong",
};

export function ProgressBar({ label, total, parts }: Props) {
  const done = parts.reduce((sum, { count }) => sum + count, 0);
  const percentOf = (count: number) => (total === 0 ? 0 : (100 * count) / total);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={total === 0 ? 100 : Math.floor(percentOf(done))}
      className="flex h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      {parts.map(({ count, tone }) => (
        <div key={tone} className={fills[tone]} style={{ width: `${percentOf(count)}%` }} />
      ))}
    </div>
  );
}
