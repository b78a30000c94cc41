// The focus of a dialog: it begins in the first field, and returns to what opened the dialog.

import { useState } from "react";

const FIELDS = [
  "input:not([type=hidden]):not(:disabled)",
  "select:not(:disabled)",
  "textarea:not(:disabled)",
].join();

/** What each open dialog returns the focus to. */
const returnTargets = new WeakMap<Element, Element[]>();

/** For a component that is mounted while its dialog is open. */
export function useDialogFocus() {
  const [targets] = useState(() => targetsOf(document.activeElement));
  return {
    onOpenAutoFocus: (event: Event) => {
      const content = event.currentTarget as HTMLElement;
      returnTargets.set(content, targets);
      // In a dialog without fields, the first of the buttons at the end is the harmless one.
      const first =
        content.querySelector<HTMLElement>(FIELDS) ??
        content.querySelector<HTMLElement>("[data-dialog-actions] button:not(:disabled)");
      if (!first) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target = targets.find((each) => each.isConnected);
      if (target instanceof HTMLElement) target.focus();
    },
  };
}

/** A menu goes before the dialog that it opens, and so does a dialog that leads to another one. */
function targetsOf(active: Element | null): Element[] {
  if (!active) return [];
  const menuTrigger = active.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const trigger = menuTrigger ? document.getElementById(menuTrigger) : null;
  if (trigger) return [trigger];
  const dialog = active.closest("[role=dialog]");
  return [active, ...(dialog ? (returnTargets.get(dialog) ?? []) : [])];
}
