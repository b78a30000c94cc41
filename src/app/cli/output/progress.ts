// What a person sees while a command waits for longer than a second: one line on the error output of a
// terminal. Programs see nothing.

import { systemClock } from "../../../base/clock.ts";
import type { Printing } from "./answer.ts";

const SHOWN_AFTER_MS = 1_000;

/** Runs `work` and removes the line at its end. `work` may replace the text. */
export async function withProgress<Result>(
  text: string,
  { json, quiet }: Printing,
  work: (say: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  if (json || quiet || !process.stderr.isTTY) return work(() => {});
  let latest = text;
  let update: ((text: string) => void) | null = null;
  let clear: (() => void) | null = null;
  let isOver = false;
  const cancel = systemClock.after(SHOWN_AFTER_MS, async () => {
    const { spinner } = await import("@clack/prompts");
    if (isOver) return;
    const shown = spinner({ output: process.stderr, withGuide: false, indicator: "timer" });
    shown.start(latest);
    update = (next) => shown.message(next);
    clear = () => shown.clear();
  });
  try {
    return await work((next) => {
      latest = next;
      update?.(next);
    });
  } finally {
    isOver = true;
    cancel();
    (clear as (() => void) | null)?.();
  }
}
