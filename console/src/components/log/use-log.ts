// The lines of a log, followed while a component shows it.

import { useEffect, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { parseLibraryLine } from "./library-line.ts";

export interface Line {
  /** The number of the line, from 0. */
  n: number;
  at: string | null;
  type: Schema["LogLine"]["type"];
  text: string;
  /** The level of a worker library's line. */
  level?: string;
}

export interface FollowedLog {
  lines: Line[];
  /** "ended" once the container is gone. */
  state: "connecting" | "following" | "ended" | "broken";
}

/** Older lines are dropped here; the service keeps them. */
const MAX_LINES = 10_000;
const RENDER_INTERVAL_MS = 120;

/** A line as REST v1 sends it, or as v2 does. */
type SentLine = Omit<Line, "n"> | { ts: string; source: Line["type"]; line: string };

function lineOf(sent: SentLine): Omit<Line, "n"> {
  const line = "line" in sent ? { at: sent.ts, type: sent.source, text: sent.line } : sent;
  // The log of a job has its level apart.
  return line.type === "container" && line.level === undefined
    ? { ...line, ...parseLibraryLine(line.text) }
    : line;
}

function streamUrl(address: string, type: Line["type"] | null): string {
  const isV2 = address.startsWith("/v2/");
  const query = new URLSearchParams({ tail: "2000" });
  if (!isV2) query.set("follow", "true");
  if (type) query.set(isV2 ? "source" : "type", type);
  return `${address}?${query}`;
}

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
    const source = new EventSource(streamUrl(address, type));
    source.onopen = () => show("following");
    source.onmessage = ({ data }) => {
      pendingLines.push({ n: count++, ...lineOf(JSON.parse(data as string) as SentLine) });
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
      // A connection that ended is made again, and continues after the last line.
      show(source.readyState === EventSource.CLOSED ? "broken" : "connecting");
    };
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [address, type]);
  return log;
}
