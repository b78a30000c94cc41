// The usage of a resource as a bar and in numbers.

import { joinClasses } from "../format/class-names.ts";
import { formatCount } from "../format/units.ts";

interface Props {
  name: string;
  used: number;
  of: number;
  unit: string;
}

export function UsageBar({ name, used, of, unit }: Props) {
  const share = of > 0 ? used / of : 0;
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 text-sm">
        <span className="text-muted">{name}</span>
        <span>
          {formatCount(Math.round(used))} of {formatCount(of)} {unit !== name && unit}
        </span>
      </div>
      <Meter label={name} share={share} />
    </div>
  );
}

/** `share` is from 0 to 1; more counts as full. */
export function Meter({ label, share }: { label: string; share: number }) {
  const percent = Math.min(100, Math.round(share * 1_000) / 10);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={joinClasses("h-full rounded-full", share > 0.9 ? "bg-warn" : "bg-accent")}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
