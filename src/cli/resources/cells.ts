// Cells of tables: ages, spans, prices, hardware and the state of a Pod.

import { spanText } from "../../domain/span.ts";
import type { ItemOf } from "../client/api.ts";
import { serviceNow } from "../client/service-clock.ts";

/** The time since an instant. */
export const age = (instant: string | undefined) =>
  instant === undefined ? null : spanText(Math.max(0, serviceNow() - Date.parse(instant)));
export const span = (ms: number | undefined) => (ms === undefined ? null : spanText(ms));
export const dollars = (amount: number) =>
  `${amount < 0 ? "-" : ""}$${Number(Math.abs(amount).toFixed(4))}`;
export const hardware = (id: string | undefined, count: number) =>
  id ? `${count} x ${id}` : "CPU";

/** "RUNNING", or the failure in place of ERROR: "CRASHED (exit 1)". */
export function podState({ status, failure }: ItemOf<"GET /v1/pods">): string {
  if (!failure) return status === "PROVISIONING" ? "STARTING" : status;
  const { code, exitCode, signal } = failure;
  const end = signal ?? (exitCode === undefined ? null : `exit ${exitCode}`);
  const word = code.toUpperCase().replaceAll("_", " ");
  return end === null ? word : `${word} (${end})`;
}
