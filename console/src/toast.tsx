// Toasts: short confirmations that disappear after a few seconds, and errors that have no other place.

import { CircleAlert } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { type ReactNode, useSyncExternalStore } from "react";

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

/** An error takes longer to read than "Pod trainer is stopping". */
const SHOWN_MS = 5_000;
const ERROR_SHOWN_MS = 15_000;

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(now: Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

/** Shows a toast: "Pod trainer is stopping". */
export const showToast = (text: string): void => addToast(text, false);

/** Shows an error that nothing else on the page can show. */
export const showErrorToast = (text: string): void => addToast(text, true);

function addToast(text: string, isError: boolean): void {
  setToasts([...toasts.slice(-2), { id: ++lastId, text, isError }]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts({ children }: { children: ReactNode }) {
  const visibleToasts = useSyncExternalStore(subscribe, () => toasts);
  return (
    <Radix.Provider duration={SHOWN_MS} swipeDirection="right">
      {children}
      {visibleToasts.map(({ id, text, isError }) => (
        <Radix.Root
          key={id}
          type={isError ? "foreground" : "background"}
          {...(isError && { duration: ERROR_SHOWN_MS })}
          onOpenChange={(open) => !open && setToasts(toasts.filter((toast) => toast.id !== id))}
          className="rounded-card border border-line bg-raised px-4 py-3 shadow-raised"
        >
          <Radix.Title className="flex gap-2.5">
            {isError && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />}
            <span className="min-w-0 break-words">{text}</span>
          </Radix.Title>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2" />
    </Radix.Provider>
  );
}
