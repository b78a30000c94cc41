// A notification: one message of a rule, with the events that it announces.

import { DAY_MS } from "../../base/units.ts";

export interface Notification {
  seq: number;
  id: string;
  accountId: string;
  ruleId: string;
  /** Sent on request, to try the rule's channel. */
  test: boolean;
  /** The number of its events. */
  events: number;
  createdAt: number;
}

/** How long a message and its deliveries are kept. */
export const NOTIFICATION_KEPT_MS = 7 * DAY_MS;
