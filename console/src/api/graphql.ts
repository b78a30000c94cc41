// Requests over GraphQL, for what no REST operation serves.

import { retryingFetch } from "./retrying-fetch.ts";
import { notifySessionExpired } from "./session-expiry.ts";

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; status?: number } }[];
}

/** A query begins with "query". Rejects with an error that `describeError` knows. */
export async function askGraphql<Data>(
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const response = await retryingFetch(
    new Request("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    }),
    query.startsWith("query"),
  );
  if (response.status === 401) notifySessionExpired();
  const { data, errors } = (await response.json()) as Answer<Data>;
  const [first] = errors ?? [];
  if (first) throw { error: first.message, status: response.status, ...first.extensions };
  return data as Data;
}
