// A status badge.

import type { ReactNode } from "react";
import { joinClasses } from "../format/class-names.ts";

export type Tone = "good" | "warn" | "bad" | "info" | "off";

const tones: Record<Tone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  off: "bg-sunken text-muted",
};

export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={joinClasses(
        "inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 text-xs font-medium",
        tones[tone],
      )}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {children}
    </span>
  );
}
