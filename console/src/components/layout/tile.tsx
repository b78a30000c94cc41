// A tile: one key figure with its name.

import type { ReactNode } from "react";
import { Skeleton } from "./skeleton.tsx";

interface Props {
  name: string;
  /** Undefined while it loads. */
  value: ReactNode | undefined;
  note?: ReactNode;
}

export function Tile({ name, value, note }: Props) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface px-4 py-3.5">
      <div className="text-sm text-muted">{name}</div>
      <div className="mt-1 min-h-8 text-xl leading-8 font-semibold tracking-tight wrap-anywhere sm:text-2xl sm:leading-8">
        {value ?? <Skeleton className="mt-1 h-6 w-24" />}
      </div>
      <div className="mt-0.5 min-h-5 text-sm text-muted">{note}</div>
    </div>
  );
}

export function Tiles({ children }: { children: ReactNode }) {
  return <div className="mb-6 grid grid-cols-2 gap-3 lg:grid-cols-4">{children}</div>;
}
