// Placeholders for content that is loading.

import { joinClasses } from "../format/class-names.ts";

export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={joinClasses("animate-pulse rounded-control bg-sunken", className)}
    />
  );
}

export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <div className="h-10 border-b border-line" />
      {[...Array(rows).keys()].map((n) => (
        <div
          key={n}
          className="flex h-12 items-center gap-6 border-b border-line px-4 last:border-0"
        >
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-24" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
