// A terminal in something that runs. What draws it is loaded when it is opened.

import { lazy, Suspense } from "react";

export interface TerminalProps {
  /** Of a command's WebSocket: /v1/pods/<id>/exec */
  address: string;
  /** What it is a terminal in. */
  label: string;
}

const Drawn = lazy(() => import("./drawn-terminal.tsx"));

export function Terminal(props: TerminalProps) {
  return (
    <Suspense fallback={<div className="h-[60vh] rounded-card bg-[#0d0f0e]" />}>
      <Drawn {...props} />
    </Suspense>
  );
}
