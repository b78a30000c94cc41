// An entry of the audit log: an actor and an operation. It never contains the request's content,
// which may have secrets.

/** The actor: a key of the account, a Pod with its own key, or the service itself. */
export type Actor =
  | { kind: "key"; keyId: string }
  | { kind: "pod"; podId: string }
  | { kind: "system" };

export interface AuditEntry {
  accountId: string;
  at: number;
  actor: Actor;
  /** The interface of the request; none for the service's own operations. */
  via: "rest" | "graphql" | "ssh" | "system";
  /** The operation's name in that interface. */
  operation: string;
  resourceType: string;
  /** Empty if it concerns no existing resource. */
  resourceId: string;
  outcome: "done" | "refused";
  /** The error code, or the reason for the service's own operation. */
  detail: string;
  /** The address of the caller; empty if there was no request. */
  address: string;
}
