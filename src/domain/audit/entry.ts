// What is remembered of who did what. Never what was sent along: that may hold secrets.

/** Who did it: with a key of the account, as a Pod with its own, or the service by itself. */
export type Actor =
  | { kind: "key"; keyId: string }
  | { kind: "pod"; podId: string }
  | { kind: "system" };

export interface AuditEntry {
  accountId: string;
  at: number;
  actor: Actor;
  /** Which interface it came by; the service's own moves come by none. */
  via: "rest" | "graphql" | "system";
  /** The operation by its name in that interface. */
  operation: string;
  resourceType: string;
  /** Empty where it is about none that exists. */
  resourceId: string;
  outcome: "done" | "refused";
  /** The refusal's code, or the reason of what the service did by itself. */
  detail: string;
  /** Where the request came from; empty where there was none. */
  address: string;
}
