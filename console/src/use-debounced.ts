// A value that follows its source once that has not changed for a moment.

import { useEffect, useState } from "react";

const DEBOUNCE_MS = 200;

export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (value === debounced) return;
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value, debounced]);
  return debounced;
}
