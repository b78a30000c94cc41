// What something would cost, asked of the service while it is filled in: reckoned as it would be charged.

import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Schema } from "./client.ts";

/** It is asked for what was filled in so long ago and has not changed since. */
const SETTLE_MS = 200;

export function useQuote(body: Schema["QuoteCreate"] | null) {
  const asked = useSettled(JSON.stringify(body));
  return api.useQuery(
    "post",
    "/v1/quote",
    { body: JSON.parse(asked) ?? {} },
    { enabled: asked !== "null", placeholderData: keepPreviousData },
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
