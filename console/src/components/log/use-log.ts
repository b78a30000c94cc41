// The lines of a log, followed while a component shows it.

import { useEffect, useState } from "react";
import type { Schema } from "../../api/client.ts";

export interface Line {
  /** The number of the line, from 0. */
  n: number;
  at: string | null;
  type: Schema["LogLine"]["type"];
  text: string;
}

export interface FollowedLog {
  lines: Line[];
  /** "ended" once the container is gone. */
  state: "connecting" | "following" | "ended" | "broken";
}

/** Older lines are dropped here; the service keeps them. */
const MAX_LINES = 10_000;
const RENDER_INTERVAL_MS = 120;

/** `address` is the path of the log: "/v1/workers/abc/logs". */
export function useLog(address: string, type: Line["type"] | null): FollowedLog {
  const [log, setLog] = useState<FollowedLog>({ lines: [], state: "connecting" });
  useEffect(() => {
    let count = 0;
    let pendingLines: Line[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (state: FollowedLog["state"]) => {
      const newLines = pendingLines;
      pendingLines = [];
      setLog(({ lines }) => ({ state, lines: [...lines, ...newLines].slice(-MAX_LINES) }));
    };
    setLog({ lines: [], state: "connecting" });
    const query = `follow=true&tail=2000${type ? `&type=${type}` : ""}`;
    const source = new EventSource(`${address}?${query}`);
    source.onopen = () => show("following");
    source.onmessage = ({ data }) => {
      const { at, type, text } = JSON.parse(data as string) as Schema["LogLine"];
      pendingLines.push({ n: count++, at, type, text });
      timer ??= setTimeout(() => {
        timer = undefined;
        show("following");
      }, RENDER_INTERVAL_MS);
    };
    source.addEventListener("end", () => {
      source.close();
      clearTimeout(timer);
      show("ended");
    });
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) show("broken");
    };
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [address, type]);
  return log;
}
