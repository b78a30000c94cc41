// The Date header of responses. It changes once a second, and making it costs more than the rest of a small head.

import { systemClock } from "../../../base/clock.ts";

let second = 0;
let text = "";

export function httpDate(): string {
  const now = Math.floor(systemClock.now() / 1_000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1_000).toUTCString();
  }
  return text;
}
