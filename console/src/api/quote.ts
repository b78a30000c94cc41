// Price quotes for a form that is being filled in.

import { keepPreviousData } from "@tanstack/react-query";
import { bodySchemas } from "../../generated/body-schemas.ts";
import { useDebounced } from "../use-debounced.ts";
import { validateBody } from "../validate-body.ts";
import { api, type Schema } from "./client.ts";

/** Values that the form shows as invalid are not sent: the last quote stays. */
export function useQuote(body: Schema["QuoteCreate"] | null) {
  const latest = JSON.parse(useDebounced(JSON.stringify(body))) as Schema["QuoteCreate"] | null;
  const isValid =
    latest !== null && Object.keys(validateBody(bodySchemas.QuoteCreate, latest)).length === 0;
  return api.useQuery(
    "post",
    "/v1/quote",
    { body: latest ?? {} },
    { enabled: isValid, placeholderData: keepPreviousData },
  );
}
