// A terminal drawn by xterm.js over the WebSocket of a command. The first byte of a frame is its kind:
// 0 input, 1 output, 2 errors, 3 control in JSON.

import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "react";
import { Button } from "../control/button.tsx";
import type { TerminalProps } from "./terminal.tsx";

const INPUT = 0;
const CONTROL = 3;
const PROTOCOL = "freehold.exec.v1";

/** Dark in both themes: programs expect a dark background. */
const colors = {
  background: "#0d0f0e",
  foreground: "#e7eae7",
  cursor: "#63c79f",
  selectionBackground: "#2f4a3f",
};

/** Browsers hide why a WebSocket fails, so a session is retried before it counts as refused. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 500;

export function XtermTerminal({ path, label }: TerminalProps) {
  const container = useRef<HTMLDivElement>(null);
  const [endText, setEndText] = useState<string | null>(null);
  const [sessionNumber, setSessionNumber] = useState(0);
  const [attempts, setAttempts] = useState(1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round and try is a new session
  useEffect(() => {
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    setEndText(null);
    const endSession = openSession(container.current!, path, (wasOpened, reason) => {
      if (wasOpened || attempts === MAX_ATTEMPTS) setEndText(endTextOf(wasOpened, reason));
      else retryTimer = setTimeout(() => setAttempts(attempts + 1), RETRY_DELAY_MS);
    });
    return () => {
      clearTimeout(retryTimer);
      endSession();
    };
  }, [path, sessionNumber, attempts]);

  return (
    <div className="overflow-hidden rounded-card border border-line bg-[#0d0f0e]">
      <section ref={container} aria-label={label} className="h-[60vh] p-2" />
      {endText !== null && (
        <div
          role="status"
          className="flex items-center justify-between gap-4 border-t border-line bg-surface p-3 text-sm"
        >
          {endText}
          <Button
            small
            onClick={() => {
              setAttempts(1);
              setSessionNumber(sessionNumber + 1);
            }}
          >
            Reconnect
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns a function that ends the session. */
function openSession(
  element: HTMLElement,
  path: string,
  onEnd: (wasOpened: boolean, reason: string) => void,
): () => void {
  const terminal = new Terminal({
    theme: colors,
    fontSize: 13,
    fontFamily: "ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace",
    cursorBlink: true,
    screenReaderMode: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(element);
  fit.fit();
  const { cols, rows } = terminal;
  const query = new URLSearchParams({ tty: "true", cols: `${cols}`, rows: `${rows}` });
  const url = new URL(`${path}?${query}`, window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url, PROTOCOL);
  socket.binaryType = "arraybuffer";
  const send = (kind: number, text: string) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(new Uint8Array([kind, ...new TextEncoder().encode(text)]));
  };
  terminal.onData((text) => send(INPUT, text));
  terminal.onResize((size) => send(CONTROL, JSON.stringify({ resize: size })));
  socket.onopen = () => terminal.focus();
  socket.onmessage = ({ data }) => {
    const frame = new Uint8Array(data as ArrayBuffer);
    if (frame[0] !== CONTROL) terminal.write(frame.subarray(1));
  };
  let wasOpened = false;
  socket.addEventListener("open", () => {
    wasOpened = true;
  });
  socket.onclose = ({ reason }) => onEnd(wasOpened, reason);
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(element);
  return () => {
    observer.disconnect();
    socket.onclose = null;
    socket.close();
    terminal.dispose();
  };
}

function endTextOf(wasOpened: boolean, reason: string): string {
  if (!wasOpened)
    return "The terminal could not be opened. The Pod must be running in a container and your API key needs write access.";
  return reason ? `Session ended: ${reason}.` : "Session ended.";
}
