// A line of a log in a stream of events.

import type { FollowedLine } from "../../../flows/log/follow.ts";
import { instant } from "../serve/instant.ts";

/** A line as the event of a stream in which every event is a line. */
export function lineEvent(line: FollowedLine, now: number) {
  if (line.type === "lost") {
    const text = `${line.count} lines are missing here because the reader was too slow.`;
    return { source: "system", line: text, ts: instant(now) };
  }
  return { source: line.type, line: line.text, ts: instant(line.at ?? now) };
}
