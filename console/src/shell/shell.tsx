// The frame of every page: the navigation, and a notice while the service does not answer.

import { Outlet } from "@tanstack/react-router";
import { Menu as MenuIcon, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { Suspense, useEffect, useState } from "react";
import { useLiveUpdates } from "../api/live-updates.ts";
import { IconButton } from "../components/control/button.tsx";
import { lazyComponent } from "../lazy-component.ts";
import { useTimeZoneChoice } from "../time-zone.ts";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { ServiceNotice } from "./service-notice.tsx";
import { TestNotice } from "./test-notice.tsx";

export function Shell() {
  useLiveUpdates();
  const palette = usePalette();
  const zone = useTimeZoneChoice();
  return (
    // Every time is shown anew in another zone.
    <div key={zone} className="lg:pl-58">
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-58 border-r border-line bg-surface lg:block">
        <Navigation onSearch={palette.show} />
      </aside>
      <Drawer onSearch={palette.show} />
      <ServiceNotice />
      <TestNotice />
      {palette.isOpen && (
        <Suspense>
          <Palette onClose={palette.hide} />
        </Suspense>
      )}
      <main id="page" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </div>
  );
}

const Palette = lazyComponent(() => import("./palette.tsx"), "Palette");

/** The command palette opens with Ctrl-K, Cmd-K or the button of the navigation. */
function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setOpen((wasOpen) => !wasOpen);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) };
}

function Drawer({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const search = () => {
    close();
    onSearch();
  };
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center justify-between border-b border-line bg-surface px-4 lg:hidden">
      <Logo />
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton label="Menu">
            <MenuIcon className="size-5" />
          </IconButton>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-backdrop" />
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
            <Navigation onSearch={search} onNavigate={close} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}
