// A terminal in a running Pod. xterm.js is loaded when the terminal is opened.

import { lazy, Suspense } from "react";

export interface TerminalProps {
  /** The path of the WebSocket: /v1/pods/<id>/exec */
  path: string;
  /** For screen readers: "Terminal in trainer". */
  label: string;
}

const XtermTerminal = lazy(() => import("./xterm-terminal.tsx"));

export function Terminal(props: TerminalProps) {
  return (
    <Suspense fallback={<div className="h-[60vh] rounded-card bg-[#0d0f0e]" />}>
      <XtermTerminal {...props} />
    </Suspense>
  );
}
