// The theme for components.

import { useSyncExternalStore } from "react";
import { onThemeChange, storedChoice, type ThemeChoice } from "./apply-theme.ts";

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(onThemeChange, storedChoice);
}

/** The theme in effect; plots use its colors. */
export function useTheme(): "light" | "dark" {
  const now = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  return useSyncExternalStore(onThemeChange, now);
}
