// Toasts: short confirmations that disappear after a few seconds.

import { Toast as Radix } from "radix-ui";
import { type ReactNode, useSyncExternalStore } from "react";

interface Toast {
  id: number;
  text: string;
}

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(now: Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

/** Shows a toast: "Pod trainer is stopping". */
export function showToast(text: string): void {
  setToasts([...toasts.slice(-2), { id: ++lastId, text }]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts({ children }: { children: ReactNode }) {
  const visibleToasts = useSyncExternalStore(subscribe, () => toasts);
  return (
    <Radix.Provider duration={5_000} swipeDirection="right">
      {children}
      {visibleToasts.map(({ id, text }) => (
        <Radix.Root
          key={id}
          onOpenChange={(open) => !open && setToasts(toasts.filter((toast) => toast.id !== id))}
          className="rounded-card border border-line bg-raised px-4 py-3 shadow-raised"
        >
          <Radix.Title>{text}</Radix.Title>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2" />
    </Radix.Provider>
  );
}
