// What stands around every page: the navigation, and a word where the page is not live.

import { Outlet, useRouter } from "@tanstack/react-router";
import { Menu as MenuIcon, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";
import { useConnection, useLive } from "../api/live.ts";
import { onSessionOver } from "../api/session-over.ts";
import { IconButton } from "../parts/button.tsx";
import { Mark } from "./mark.tsx";
import { Navigation } from "./navigation.tsx";

export function Shell() {
  useLive();
  useWayBackIn();
  return (
    <div className="lg:pl-58">
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        To the page
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-58 border-r border-line bg-surface lg:block">
        <Navigation />
      </aside>
      <Drawer />
      <NotLive />
      <main id="page" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </div>
  );
}

function Drawer() {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center justify-between border-b border-line bg-surface px-4 lg:hidden">
      <Mark />
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton label="Menu">
            <MenuIcon className="size-5" />
          </IconButton>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-r border-line bg-surface shadow-raised"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close menu" className="absolute top-3 right-3">
                <X className="size-4" />
              </IconButton>
            </Dialog.Close>
            <Navigation onGo={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}

/** After a moment: who reconnects at once need not be told. */
const TOLD_AFTER_MS = 3_000;

function NotLive() {
  const connection = useConnection();
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (connection !== "broken") return setTold(false);
    const timer = setTimeout(() => setTold(true), TOLD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  if (!told) return null;
  return (
    <div
      role="status"
      className="border-b border-line bg-warn-soft px-4 py-2 text-center text-sm text-warn"
    >
      The service does not answer right now. What is shown may be old; it looks again by itself.
    </div>
  );
}

/** Whoever is signed out by the clock signs in and is where he was, however many answers say so. */
function useWayBackIn(): void {
  const router = useRouter();
  useEffect(() => {
    onSessionOver(() => {
      const { href, pathname } = router.latestLocation;
      if (pathname === "/sign-in") return;
      void router.navigate({ to: "/sign-in", search: { next: href, over: true } });
    });
    return () => onSessionOver(() => {});
  }, [router]);
}
