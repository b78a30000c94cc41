// An entry of the audit log for a connection to a Pod over SSH.

import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";

interface SshConnection {
  accountId: string;
  podId: string;
  key: Pick<SshKey, "id" | "fingerprint">;
  address: string;
}

export function* recordConnection(
  { accountId, podId, key, address }: SshConnection,
  at: number,
): Tx<void> {
  yield* appendEntry({
    accountId,
    at,
    address,
    actor: { kind: "key", keyId: key.id },
    via: "ssh",
    operation: "connect",
    resourceType: "pod",
    resourceId: podId,
    outcome: "done",
    detail: key.fingerprint,
  });
}
