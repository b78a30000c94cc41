// Cells of tables: ages, spans, prices, hardware and the state of a Pod.

import { durationText } from "../../domain/duration.ts";
import type { ItemOf } from "../client/api.ts";
import { serviceNow } from "../client/service-clock.ts";
import { timeText } from "../output/time-text.ts";

/** The time since an instant. */
export const age = (instant: string | undefined) =>
  instant === undefined ? null : durationText(Math.max(0, serviceNow() - Date.parse(instant)));
export const span = (ms: number | undefined) => (ms === undefined ? null : durationText(ms));
const AMOUNT = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
  useGrouping: false,
});

/** "-$0.50", "$0.4496" */
export const dollars = (amount: number) =>
  `${amount < 0 ? "-" : ""}$${AMOUNT.format(Math.abs(amount))}`;

/** What an account has left; one without limit owes nothing, whatever it has used. */
export const creditsText = ({ limited, balance }: ItemOf<"GET /v1/accounts">): string =>
  limited ? dollars(balance) : "unlimited";

export const hardware = (id: string | undefined, count: number) =>
  id ? `${count} x ${id}` : count > 0 ? `${count} x GPU` : "CPU";

/** "RUNNING", the place in line, "QUEUED (2)", or the failure in place of ERROR: "CRASHED (exit 1)". */
export function podState({ status, failure, queued }: ItemOf<"GET /v1/pods">): string {
  if (queued) return queued.refused ? "REFUSED" : `QUEUED (${queued.position ?? "?"})`;
  if (!failure) return status === "PROVISIONING" ? "STARTING" : status;
  const { code, exitCode, signal } = failure;
  const end = signal ?? (exitCode === undefined ? null : `exit ${exitCode}`);
  const word = code.toUpperCase().replaceAll("_", " ");
  return end === null ? word : `${word} (${end})`;
}

/** "RUNNING (simulated)": the image of a simulated Pod or worker does not run. */
export function podStatus(pod: ItemOf<"GET /v1/pods">): string {
  return pod.simulated ? `${podState(pod)} (simulated)` : podState(pod);
}

/** Such as "1 in use, 1 free, 2 lent to spot Pods", of GPUs that are reserved or guaranteed. */
export function keptGpusText({ used, free, lent, short }: KeptGpus): string {
  const parts = [
    `${used} in use`,
    ...(free > 0 ? [`${free} free`] : []),
    ...(lent > 0 ? [`${lent} lent to spot Pods`] : []),
    ...(short > 0 ? [`${short} short`] : []),
  ];
  return parts.join(", ");
}

/** How the GPUs of a reservation stand, and that it is released because it is not used. */
export function reservationUse({
  use,
  releasesAt,
  releasedAt,
}: ItemOf<"GET /v1/reservations">): string {
  if (releasedAt) return `released ${timeText(releasedAt)}: not used`;
  if (!use) return "";
  const release = releasesAt ? `; released ${timeText(releasesAt)} if not used` : "";
  return `${keptGpusText(use)}${release}`;
}

type KeptGpus = NonNullable<ItemOf<"GET /v1/reservations">["use"]>;

/** "2/4", or "2" without a limit. */
export function usedOf(
  used: number,
  limit: number | undefined,
  text: (amount: number) => string = String,
): string {
  return limit === undefined ? text(used) : `${text(used)}/${text(limit)}`;
}

/** "full access", or "may rest read, queue write, endpoints shop". */
export function permissionsText({ permissions }: ItemOf<"GET /v1/keys">): string {
  const { endpoints, ...interfaces } = permissions;
  const isFull = Object.values(interfaces).every((access) => access === "write");
  if (isFull && endpoints === null) return "full access";
  const granted = Object.entries(interfaces).map(([name, access]) => `${name} ${access}`);
  const only = endpoints ? `, endpoints ${endpoints.join(" ") || "none"}` : "";
  return `may ${granted.join(", ")}${only}`;
}
