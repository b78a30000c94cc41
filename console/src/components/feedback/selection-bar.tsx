// The bar above a list that says what is selected, with its actions.

import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import { ErrorNote } from "./error-note.tsx";

interface BarProps {
  text: string;
  error?: unknown;
  onDone: () => void;
  children: ReactNode;
}

export function SelectionBar({ text, error = null, onDone, children }: BarProps) {
  return (
    <div className="sticky top-15 z-10 mb-3 space-y-2 lg:top-2">
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised px-4 py-2 shadow-raised">
        <span className="mr-auto font-medium">{text}</span>
        {children}
        <Button small variant="quiet" onClick={onDone}>
          Clear selection
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
