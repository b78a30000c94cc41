// What happened to a Pod.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";

const text = (description: string) => Type.String({ description });
const state = (description: string) =>
  Type.Enum(["RUNNING", "EXITED", "TERMINATED", "none", "starting", "running", "ended"], {
    description,
  });

export const podEvent = Type.Object(
  {
    id: text("Rises with every event."),
    at: instant,
    event: Type.Enum(
      [
        "created",
        "started",
        "restarted",
        "reset",
        "stopped",
        "stop_after",
        "no_credits",
        "account_disabled",
        "budget_spent",
        "finished",
        "gave_up",
        "evicted",
        "disk_full",
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
      ],
      { description: "What is wanted of it from then on and why, or what was seen of its place." },
    ),
    from: Type.Optional(
      state(
        "What it was: in capitals what was wanted of it (its desiredStatus), else what was seen of " +
          "its container.",
      ),
    ),
    to: Type.Optional(state("What it became.")),
    message: text("The same in words, with the reason."),
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
          "Where it came from: a member, a key of the account's own or the Pod with its own key; one " +
          "of its deadlines, the account's balance, a budget, whoever runs this place, or the " +
          "service by itself; or what was seen of its machine and of its container.",
      },
    ),
    keyId: Type.Optional(text("The key it was asked with, for who may read the audit log.")),
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
