// The frame before the service's first answer, which says when that answer is late.

import { useEffect, useState } from "react";
import { Button } from "../components/control/button.tsx";
import { Skeleton } from "../components/layout/skeleton.tsx";
import { Logo } from "./logo.tsx";

/** A prompt answer comes without a notice. */
const NOTICE_DELAY_MS = 1_500;

export function PendingShell() {
  return (
    <div className="lg:pl-58">
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-58 border-r border-line bg-surface px-5 lg:block">
        <div className="flex h-14 items-center">
          <Logo />
        </div>
      </aside>
      <header className="flex h-13 items-center border-b border-line bg-surface px-4 lg:hidden">
        <Logo />
      </header>
      <main aria-busy className="mx-auto w-full max-w-[1240px] px-4 pt-6 pb-16 sm:px-8">
        <LateNotice />
        <Skeleton className="h-8 w-56" />
        <Skeleton className="mt-6 h-96" />
      </main>
    </div>
  );
}

function LateNotice() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card bg-warn-soft p-4 text-warn"
    >
      Freehold has not answered yet. The page opens when it does.
      <Button small onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  );
}
