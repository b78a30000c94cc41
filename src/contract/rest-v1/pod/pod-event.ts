// Events of a Pod.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";

const text = (description: string) => Type.String({ description });
const state = (description: string) =>
  Type.Union(
    [
      Type.Enum(["RUNNING", "EXITED", "TERMINATED"]),
      Type.Enum(["none", "starting", "running", "ended"]),
    ],
    { description },
  );

export const podEvent = Type.Object(
  {
    id: text("Increases with every event."),
    at: instant,
    event: Type.Enum(
      [
        "queued",
        "queue_refused",
        "created",
        "started",
        "restarted",
        "reset",
        "stopped",
        "stop_after",
        "max_lifetime",
        "idle",
        "no_credits",
        "account_disabled",
        "budget_spent",
        "finished",
        "gave_up",
        "evicted",
        "disk_full",
        "gpu_quarantined",
        "deleted",
        "terminate_after",
        "container_starting",
        "image_pulling",
        "image_pulled",
        "container_running",
        "container_ended",
        "start_failed",
        "container_gone",
        "machine_lost",
        "machine_back",
        "gpu_lost",
        "gpu_back",
        "gpu_unhealthy",
        "gpu_healthy",
        "gpu_error",
      ],
      {
        description:
          "A change of the desired state with its cause, or a change of the observed state.",
      },
    ),
    from: Type.Optional(
      state(
        "The state before: a desiredStatus in capitals, else an observed state of the container.",
      ),
    ),
    to: Type.Optional(state("The state after.")),
    message: text("The event in words, with its reason."),
    actor: Type.Enum(
      [
        "member",
        "key",
        "pod",
        "deadline",
        "balance",
        "budget",
        "operator",
        "service",
        "machine",
        "container",
      ],
      {
        description:
          "The origin: a member, a key of the account, the Pod with its own key, one of the Pod's " +
          "deadlines, the account's balance, a budget, the operator, the service itself, the " +
          "machine, or the container.",
      },
    ),
    keyId: Type.Optional(
      text("The key of the request; returned only to callers that can read the audit log."),
    ),
    keyName: Type.Optional(Type.String()),
    memberId: Type.Optional(Type.String()),
    memberEmail: Type.Optional(Type.String()),
  },
  { title: "PodEvent" },
);
export type PodEvent = Static<typeof podEvent>;

export const podEventQuery = Type.Partial(
  Type.Object({
    before: Type.String({ pattern: "^\\d{1,15}$", "x-takes": "the id of an event" }),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  }),
);
export type PodEventQuery = Static<typeof podEventQuery>;
