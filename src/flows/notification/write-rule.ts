// Creating, changing and deleting notification rules. Secrets are encrypted immediately and never returned.

import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import {
  type ChannelRequest,
  checkChannel,
  keepsSecret,
} from "../../domain/notification/channel.ts";
import { defaultThreshold, type FailureThreshold } from "../../domain/notification/failure-rate.ts";
import { type NotificationRule, secretOwner } from "../../domain/notification/rule.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { createRule, removeRule, updateRule } from "../../transactions/notification/write-rule.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface RuleDeps extends FlowDeps {
  vault: Vault;
  /** Whether the operator configured a mail server. */
  sendsMail: boolean;
}

/** The settings of a rule as clients send them. */
export interface RuleSettings
  extends Pick<NotificationRule, "name" | "enabled" | "events" | "endpointIds" | "podIds"> {
  failures: Partial<FailureThreshold>;
  channel: ChannelRequest;
}

export interface NewRule extends Pick<RuleSettings, "name" | "events" | "channel"> {
  accountId: string;
  settings: Partial<RuleSettings>;
  once: IdempotencyKey | null;
}

export async function createNotificationRule(
  deps: RuleDeps,
  { accountId, name, events, channel: request, settings, once }: NewRule,
): Promise<NotificationRule> {
  const { store, clock, ids, vault } = deps;
  const id = ids.short(14);
  const { channel, secret } = checkedChannel(deps, request);
  const now = clock.now();
  const rule: NotificationRule = {
    id,
    accountId,
    name,
    enabled: settings.enabled ?? true,
    events,
    endpointIds: settings.endpointIds ?? [],
    podIds: settings.podIds ?? [],
    failures: { ...defaultThreshold, ...settings.failures },
    channel,
    secret: secret === undefined ? null : vault.seal(secret, secretOwner(id)),
    notifiedAt: null,
    createdAt: now,
    changedAt: now,
  };
  const create = () => createOnce(once, now, () => createRule(rule));
  return throwRefusal(store.write(create));
}

/** A channel is replaced as a whole; its secret stays if it goes to the same address. */
export async function changeNotificationRule(
  deps: RuleDeps,
  accountId: string,
  id: string,
  { channel: request, failures, ...others }: Partial<RuleSettings>,
): Promise<NotificationRule> {
  const { store, clock, vault } = deps;
  const now = clock.now();
  return throwRefusal(
    store.write(updateRule, accountId, id, (before) => {
      const rule = {
        ...before,
        ...others,
        failures: { ...before.failures, ...failures },
        changedAt: now,
      };
      if (!request) return rule;
      const checked = checkChannel(request, before.channel);
      if (typeof checked === "string") return new Fault("invalid_body", { detail: checked });
      const { channel, secret } = checked;
      const refusal = mailRefusal(deps, request);
      if (refusal) return refusal;
      const earlier = keepsSecret(channel, before.channel) ? before.secret : null;
      const sealed = secret === undefined ? earlier : vault.seal(secret, secretOwner(id));
      return { ...rule, channel, secret: sealed };
    }),
  );
}

export async function deleteNotificationRule(
  { store }: Pick<RuleDeps, "store">,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeRule, accountId, id));
}

function checkedChannel(deps: RuleDeps, request: ChannelRequest) {
  const checked = checkChannel(request);
  if (typeof checked === "string") throw new Fault("invalid_body", { detail: checked });
  const refusal = mailRefusal(deps, request);
  if (refusal) throw refusal;
  return checked;
}

function mailRefusal({ sendsMail }: RuleDeps, { type }: ChannelRequest): Fault | null {
  if (type !== "email" || sendsMail) return null;
  const detail =
    "This service sends no e-mail: its operator has not set FREEHOLD_SMTP_URL and FREEHOLD_MAIL_FROM.";
  return new Fault("not_offered", { detail });
}
