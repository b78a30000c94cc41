// Price quotes for a form that is being filled in.

import { keepPreviousData } from "@tanstack/react-query";
import { useDebounced } from "../components/form/use-debounced.ts";
import { api, type Schema } from "./client.ts";

export function useQuote(body: Schema["QuoteCreate"] | null) {
  const debouncedBody = useDebounced(JSON.stringify(body));
  return api.useQuery(
    "post",
    "/v1/quote",
    { body: JSON.parse(debouncedBody) ?? {} },
    { enabled: debouncedBody !== "null", placeholderData: keepPreviousData },
  );
}
