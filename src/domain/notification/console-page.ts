// The page of the console about an event. Pure.

import type { AccountEvent, ResourceType } from "./event.ts";

export const pages: Record<ResourceType, (id: string) => string> = {
  pod: (id) => `/pods/${id}`,
  endpoint: (id) => `/serverless/${id}`,
  schedule: (id) => `/schedules/${id}`,
  reservation: () => "/reservations",
  machine: () => "/machines",
  certificate: () => "/machines",
  budget: () => "/billing",
  account: () => "/billing",
  session: () => "/settings",
  key: () => "/keys",
  rule: () => "/notifications",
};

/** `origin` is where people reach the service. A deleted Pod has no page. */
export function consolePage({ resource, details }: AccountEvent, origin: string): string {
  const isDeleted = details.desiredStatus === "TERMINATED";
  const path = isDeleted ? "/pods" : pages[resource.type](resource.id);
  return `${origin.replace(/\/$/, "")}${path}`;
}
