// Price quotes for a form that is being filled in.

import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Schema } from "./client.ts";

/** A quote is requested once the values are unchanged for this long. */
const DEBOUNCE_MS = 200;

export function useQuote(body: Schema["QuoteCreate"] | null) {
  const debouncedBody = useDebounced(JSON.stringify(body));
  return api.useQuery(
    "post",
    "/v1/quote",
    { body: JSON.parse(debouncedBody) ?? {} },
    { enabled: debouncedBody !== "null", placeholderData: keepPreviousData },
  );
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (value === debounced) return;
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value, debounced]);
  return debounced;
}
