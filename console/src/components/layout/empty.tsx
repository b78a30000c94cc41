// An empty state: what the list would show, and the first step.

import type { ReactNode } from "react";
import { Code } from "../control/copy.tsx";

interface Props {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** The first step as a command. */
  curl?: string;
}

export function Empty({ title, children, actions, curl }: Props) {
  return (
    <div className="rounded-card border border-dashed border-line-strong px-6 py-12 text-center">
      <h2 className="text-lg font-medium">{title}</h2>
      <div className="mx-auto mt-1 max-w-[56ch] text-muted">{children}</div>
      {actions && <div className="mt-5 flex justify-center gap-2">{actions}</div>}
      {curl && (
        <div className="mx-auto mt-6 max-w-2xl">
          <p className="mb-1.5 text-left text-sm text-muted">Or use the API:</p>
          <Code text={curl} />
        </div>
      )}
    </div>
  );
}
