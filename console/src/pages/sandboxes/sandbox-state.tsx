// The state of a sandbox as a badge, and when or why it ends.

import type { Schema } from "../../api/client.ts";
import { useNow } from "../../components/data/relative-time.tsx";
import { Status, type Tone } from "../../components/data/status.tsx";
import { formatDuration } from "../../components/format/units.ts";

export type Sandbox = Schema["Sandbox"];

const states: Record<Sandbox["state"], [tone: Tone, text: string]> = {
  CREATING: ["info", "Starting"],
  RUNNING: ["good", "Running"],
  TERMINATED: ["off", "Ended"],
  FAILED: ["bad", "Failed"],
};

export function SandboxState({ state }: Pick<Sandbox, "state">) {
  const [tone, text] = states[state];
  return <Status tone={tone}>{text}</Status>;
}

export const isLive = ({ state }: Sandbox) => state === "CREATING" || state === "RUNNING";

const reasons: Record<NonNullable<Sandbox["terminationReason"]>, string> = {
  DELETED: "Deleted",
  IDLE_TIMEOUT: "Idle timeout",
  MAX_LIFETIME: "Maximum lifetime",
  EXITED: "Its process ended",
  START_FAILED: "It could not start",
  NO_CREDITS: "No credits",
  BUDGET_SPENT: "Budget spent",
  ACCOUNT_DISABLED: "Account disabled",
  DISK_FULL: "Disk full",
  STOPPED: "Stopped by the service",
};

export function reasonOf({ terminationReason, terminationDetail }: Sandbox): string {
  const reason = terminationReason ? reasons[terminationReason] : "";
  return [reason, terminationDetail].filter(Boolean).join(": ");
}

/** How long until an instant, such as "4 min 10 s". */
export function TimeLeft({ until }: { until: string }) {
  const left = Math.max(0, Date.parse(until) - useNow());
  return <span className="tabular-nums">{formatDuration(Math.ceil(left / 1_000) * 1_000)}</span>;
}

/** The earlier of its two limits. */
export const endOf = ({ idleExpiresAt, expiresAt }: Sandbox) =>
  Date.parse(idleExpiresAt) < Date.parse(expiresAt) ? idleExpiresAt : expiresAt;
