// Whether the session has expired. Any request may find that out; a sign-in begins a new one.

import { useSyncExternalStore } from "react";

let isExpired = false;
const listeners = new Set<() => void>();

function setExpired(now: boolean): void {
  isExpired = now;
  for (const listener of listeners) listener();
}

export const notifySessionExpired = (): void => setExpired(true);

export const notifySessionBegun = (): void => setExpired(false);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useSessionExpired(): boolean {
  return useSyncExternalStore(subscribe, () => isExpired);
}
