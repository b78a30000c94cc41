// A word on what was done, that goes by itself.

import { Toast as Radix } from "radix-ui";
import { type ReactNode, useSyncExternalStore } from "react";

interface Note {
  id: number;
  text: string;
}

let notes: Note[] = [];
let last = 0;
const watchers = new Set<() => void>();

function set(now: Note[]): void {
  notes = now;
  for (const watcher of watchers) watcher();
}

/** Says in a few words what was done: "Pod trainer is being stopped". */
export function say(text: string): void {
  set([...notes.slice(-2), { id: ++last, text }]);
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

export function Toasts({ children }: { children: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => notes);
  return (
    <Radix.Provider duration={5_000} swipeDirection="right">
      {children}
      {shown.map(({ id, text }) => (
        <Radix.Root
          key={id}
          onOpenChange={(open) => !open && set(notes.filter((note) => note.id !== id))}
          className="rounded-card border border-line bg-raised px-4 py-3 shadow-raised"
        >
          <Radix.Title>{text}</Radix.Title>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2" />
    </Radix.Provider>
  );
}
