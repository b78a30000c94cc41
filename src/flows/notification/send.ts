// Testing a rule's channel with a real message, and sending a message again.

import { Deadline } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { topic } from "../../store/engine/notifier.ts";
import { redeliverNotification, sendTest } from "../../transactions/notification/send.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type NotificationView, readNotification } from "./read.ts";

export interface SendDeps extends FlowDeps {
  protocol: Pick<Protocol, "webhookTimeoutMs">;
}

/** The time between a try and its record, beyond the try's own limit. */
const RECORD_MS = 2_000;

/** Returns the message with its one try, or without one if the try takes too long. */
export async function testNotificationRule(
  deps: SendDeps,
  accountId: string,
  ruleId: string,
): Promise<NotificationView> {
  const { store, clock, ids, protocol } = deps;
  const id = ids.short(14);
  const subscription = store.notifier.subscribe(topic.notification(id));
  try {
    await throwRefusal(store.write(sendTest, accountId, ruleId, id, clock.now()));
    const deadline = new Deadline(clock, protocol.webhookTimeoutMs + RECORD_MS);
    for (;;) {
      const view = await readNotification(deps, accountId, id);
      const leftMs = deadline.leftMs();
      if (view.deliveries.some(({ tries }) => tries > 0) || leftMs === 0) return view;
      await subscription.wait(clock, leftMs);
    }
  } finally {
    subscription.close();
  }
}

/** Creates a delivery with tries of its own, with the same message id. */
export async function resendNotification(
  deps: Pick<SendDeps, "store" | "clock">,
  accountId: string,
  id: string,
): Promise<NotificationView> {
  const { store, clock } = deps;
  await throwRefusal(store.write(redeliverNotification, accountId, id, clock.now()));
  return readNotification(deps, accountId, id);
}
