// The log of a Pod or a worker, followed for as long as it is shown.

import { useEffect, useState } from "react";
import type { Schema } from "../api/client.ts";

export interface Line {
  /** In the order in which they came. */
  n: number;
  at: string | null;
  type: Schema["LogLine"]["type"];
  text: string;
}

export interface FollowedLog {
  lines: Line[];
  /** "ended" where it is gone and prints no more. */
  state: "connecting" | "following" | "ended" | "broken";
}

/** More are not kept; the service keeps them. */
const MOST_LINES = 10_000;
const SHOWN_EVERY_MS = 120;

/** `address` is that of its route: "/v1/workers/abc/logs". */
export function useLog(address: string, type: Line["type"] | null): FollowedLog {
  const [log, setLog] = useState<FollowedLog>({ lines: [], state: "connecting" });
  useEffect(() => {
    let count = 0;
    let fresh: Line[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (state: FollowedLog["state"]) => {
      const more = fresh;
      fresh = [];
      setLog(({ lines }) => ({ state, lines: [...lines, ...more].slice(-MOST_LINES) }));
    };
    setLog({ lines: [], state: "connecting" });
    const wish = `follow=true&tail=2000${type ? `&type=${type}` : ""}`;
    const source = new EventSource(`${address}?${wish}`);
    source.onopen = () => show("following");
    source.onmessage = ({ data }) => {
      const { at, type, text } = JSON.parse(data as string) as Schema["LogLine"];
      fresh.push({ n: count++, at, type, text });
      timer ??= setTimeout(() => {
        timer = undefined;
        show("following");
      }, SHOWN_EVERY_MS);
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
