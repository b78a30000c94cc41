// A terminal as xterm.js draws it, over the WebSocket of a command. The first byte of a frame says what
// it is: 0 input, 1 output, 2 errors, 3 control in JSON.

import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import type { TerminalProps } from "./terminal.tsx";

const INPUT = 0;
const CONTROL = 3;
const PROTOCOL = "freehold.exec.v1";

/** Dark in both themes: what runs in it expects that. */
const colours = {
  background: "#0d0f0e",
  foreground: "#e7eae7",
  cursor: "#63c79f",
  selectionBackground: "#2f4a3f",
};

/** Why there is no session is not told to scripts: it is tried again before it is called a refusal. */
const TRIES = 3;
const BETWEEN_TRIES_MS = 500;

export default function DrawnTerminal({ address, label }: TerminalProps) {
  const box = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [tries, setTries] = useState(1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round and try is a new session
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    setOver(null);
    const end = openSession(box.current!, address, (opened, reason) => {
      if (opened || tries === TRIES) setOver(overText(opened, reason));
      else again = setTimeout(() => setTries(tries + 1), BETWEEN_TRIES_MS);
    });
    return () => {
      clearTimeout(again);
      end();
    };
  }, [address, round, tries]);

  return (
    <div className="overflow-hidden rounded-card border border-line bg-[#0d0f0e]">
      <section ref={box} aria-label={label} className="h-[60vh] p-2" />
      {over !== null && (
        <div
          role="status"
          className="flex items-center justify-between gap-4 border-t border-line bg-surface p-3 text-sm"
        >
          {over}
          <Button
            small
            onClick={() => {
              setTries(1);
              setRound(round + 1);
            }}
          >
            Open another
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns what ends it. */
function openSession(
  element: HTMLElement,
  address: string,
  tellOver: (opened: boolean, reason: string) => void,
): () => void {
  const terminal = new Terminal({
    theme: colours,
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
  const url = new URL(`${address}?${query}`, window.location.href);
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
  let opened = false;
  socket.addEventListener("open", () => {
    opened = true;
  });
  socket.onclose = ({ reason }) => tellOver(opened, reason);
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(element);
  return () => {
    observer.disconnect();
    socket.onclose = null;
    socket.close();
    terminal.dispose();
  };
}

function overText(opened: boolean, reason: string): string {
  if (!opened)
    return "No terminal could be opened: the Pod must run, in a container, and your key may write.";
  return reason ? `The session has ended: ${reason}.` : "The session has ended.";
}
