// Light or dark: as the system says, unless somebody chose.

import { useSyncExternalStore } from "react";

export type Choice = "system" | "light" | "dark";

const NAME = "freehold_theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set<() => void>();

export function applyTheme(): void {
  const choice = chosen();
  const dark = choice === "dark" || (choice === "system" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const watcher of watchers) watcher();
}

system.addEventListener("change", applyTheme);

function chosen(): Choice {
  const kept = localStorage.getItem(NAME);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function chooseTheme(choice: Choice): void {
  if (choice === "system") localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, choice);
  applyTheme();
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

export function useThemeChoice(): Choice {
  return useSyncExternalStore(subscribe, chosen);
}

/** What is shown now; plots are painted by it. */
export function useTheme(): "light" | "dark" {
  const now = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  return useSyncExternalStore(subscribe, now);
}
