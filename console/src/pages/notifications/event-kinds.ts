// The kinds of events that a notification rule can announce, with their names.

import type { Schema } from "../../api/client.ts";

export type EventKind = Schema["NotificationRule"]["events"][number];

export const eventNames: Record<EventKind, string> = {
  pod_ended: "A Pod ended",
  pod_idle: "A Pod stops soon because it is idle",
  pod_lifetime: "A Pod stops soon at its maximum lifetime",
  pod_left_line: "A Pod that waited in line is created",
  pod_refused: "A Pod in line is refused",
  gpus_reserved: "A Pod's GPUs are reserved for others soon",
  reservation_short: "A reservation begins and GPUs are short",
  reservation_unused: "A reservation is not used and will be released",
  reservation_released: "A reservation was released because it was not used",
  jobs_failing: "Jobs of an endpoint fail",
  worker_crash_loop: "Workers crash in a loop",
  schedule_failed: "A schedule cannot submit jobs",
  machine_offline: "A machine is offline",
  gpu_unhealthy: "GPUs of a machine cannot be read",
  mig_layout_restored: "MIG devices are put back, or cannot be",
  certificate_ending: "The TLS certificate ends soon",
  budget_warning: "80% of a budget is spent",
  budget_spent: "A budget is spent",
  balance_low: "The credits are low",
  balance_empty: "The credits are spent",
  sign_in: "New sign-in",
  key_created: "New API key",
};

/** Only the operator's account can select them. */
export const operatorKinds: EventKind[] = [
  "machine_offline",
  "gpu_unhealthy",
  "mig_layout_restored",
  "certificate_ending",
];

const endpointKinds: EventKind[] = ["jobs_failing", "worker_crash_loop", "schedule_failed"];

export const isAboutEndpoints = (events: EventKind[]) =>
  events.some((kind) => endpointKinds.includes(kind));

const podKinds: EventKind[] = [
  "pod_ended",
  "pod_idle",
  "pod_lifetime",
  "pod_left_line",
  "pod_refused",
  "gpus_reserved",
];

export const isAboutPods = (events: EventKind[]) => events.some((kind) => podKinds.includes(kind));
