// A card: a titled section of a page.

import type { ReactNode } from "react";
import { joinClasses } from "../format/class-names.ts";

interface Props {
  title?: ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
  /** The card has no padding: for tables and plots. */
  flush?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

export function Card({ title, aside, flush, className, children }: Props) {
  return (
    <section
      className={joinClasses("min-w-0 rounded-card border border-line bg-surface", className)}
    >
      {(title || aside) && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2">
          <h2 className="font-medium">{title}</h2>
          {aside && <div className="text-sm text-muted">{aside}</div>}
        </div>
      )}
      <div className={flush ? "" : "p-4"}>{children}</div>
    </section>
  );
}

/** A description list in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] items-baseline gap-x-6 gap-y-2 text-sm">
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
