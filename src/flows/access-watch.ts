// Access that has to last while something stays open: a stream, a terminal, a download, an SSH connection, a call.

import type { Clock } from "../base/clock.ts";
import type { Ready } from "../base/ready.ts";
import { Fault } from "../domain/fault.ts";

/** An access that was given once. */
export interface LastingAccess {
  /** Calls back when the access may have ended, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Whether it lasts. Fails while the store is unavailable, which does not mean that it ended. */
  lasts(): Ready<boolean>;
}

/** Why something open ended whose caller lost access. */
export const ACCESS_REVOKED = new Fault("forbidden", {
  detail: "The key or session lost access while the request was open, which ended it.",
});

/** The pause before a check that failed is tried again. */
const CHECK_AGAIN_MS = 1_000;

/** Calls `onLost` once the access has ended, also if that was before the watch began. The result ends the watch. */
export function watchAccess(clock: Clock, access: LastingAccess, onLost: () => void): () => void {
  let isOver = false;
  let cancelRetry = () => {};
  const conclude = (lasts: boolean) => {
    if (lasts || isOver) return;
    end();
    onLost();
  };
  const checkAgain = () => {
    cancelRetry();
    if (!isOver) cancelRetry = clock.after(CHECK_AGAIN_MS, check);
  };
  const check = () => {
    cancelRetry();
    try {
      const lasts = access.lasts();
      if (lasts instanceof Promise) lasts.then(conclude, checkAgain);
      else conclude(lasts);
    } catch {
      checkAgain();
    }
  };
  const stopListening = access.onChange(check);
  const end = () => {
    isOver = true;
    cancelRetry();
    stopListening();
  };
  check();
  return end;
}
