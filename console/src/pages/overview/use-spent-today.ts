// The total spending since midnight UTC.

import { api } from "../../api/client.ts";
import { serviceNow } from "../../service-clock.ts";

const DAY_MS = 86_400_000;

/** In dollars; undefined while it loads. */
export function useSpentToday(): number | undefined {
  const startTime = new Date(Math.floor(serviceNow() / DAY_MS) * DAY_MS).toISOString();
  const params = { query: { bucketSize: "day" as const, startTime } };
  const pods = api.useQuery("get", "/v1/billing/pods", { params });
  const endpoints = api.useQuery("get", "/v1/billing/endpoints", { params });
  const volumes = api.useQuery("get", "/v1/billing/networkvolumes", { params });
  if (!pods.data || !endpoints.data || !volumes.data) return undefined;
  const all = [...pods.data, ...endpoints.data, ...volumes.data];
  return all.reduce((sum, { amount }) => sum + amount, 0);
}
