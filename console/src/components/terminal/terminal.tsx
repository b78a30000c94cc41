// A terminal in a running Pod. xterm.js is loaded when the terminal is opened.

import { Suspense } from "react";
import { lazyComponent } from "../../lazy-component.ts";

export interface TerminalProps {
  /** The path of the WebSocket: /v1/pods/<id>/exec */
  path: string;
  /** For screen readers: "Terminal in trainer". */
  label: string;
}

const XtermTerminal = lazyComponent(() => import("./xterm-terminal.tsx"), "XtermTerminal");

export function Terminal(props: TerminalProps) {
  return (
    <Suspense fallback={<div className="h-[60vh] rounded-card bg-[#0d0f0e]" />}>
      <XtermTerminal {...props} />
    </Suspense>
  );
}
