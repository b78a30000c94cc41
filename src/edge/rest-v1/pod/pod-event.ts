// A Pod's events as REST clients read them. Keys and members are shown to readers of the audit log only.

import type { PodEvent, PodEventQuery } from "../../../contract/rest-v1/pod/pod-event.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { roleCovers } from "../../../domain/member/roles.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { type PodEventEntry, podEventsOf } from "../../../flows/pod/events.ts";
import { instant } from "../../management/serve/instant.ts";

interface EventsRequest {
  accountId: string;
  key: ApiKey;
  query: PodEventQuery;
}

export async function podEventsFor(
  deps: FlowDeps,
  { accountId, key, query: { before, limit = 100 } }: EventsRequest,
  podId: string,
): Promise<PodEvent[]> {
  const part = { before: Number(before ?? Number.MAX_SAFE_INTEGER), limit };
  const found = await podEventsOf(deps, accountId, podId, part);
  return found.map((event) => podEventRead(key, event));
}

function podEventRead(reader: ApiKey, entry: PodEventEntry): PodEvent {
  const { from, to, actor, keyId, keyName, member } = entry;
  return {
    id: String(entry.n),
    at: instant(entry.at),
    event: entry.event,
    ...(from && { from }),
    ...(to && { to }),
    message: entry.line,
    actor: member ? "member" : actor,
    ...(roleCovers(reader.member?.role ?? null, "account", "read") && {
      ...(keyId !== null && { keyId }),
      ...(keyName !== null && { keyName }),
      ...(member && { memberId: member.id, memberEmail: member.email }),
    }),
  };
}
