// A Pod's events, as they are sent. Whose keys and names stand in it is for who may read the audit log.

import type { PodEvent, PodEventQuery } from "../../contract/rest-v1/pod-event.ts";
import type { ApiKey } from "../../domain/account.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import { type PodEventView, podEventsOf } from "../../flows/pod/events.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";

interface Ask {
  accountId: string;
  key: ApiKey;
  query: PodEventQuery;
}

export async function podEventsFor(
  deps: RestDeps,
  { accountId, key, query: { before, limit = 100 } }: Ask,
  podId: string,
): Promise<PodEvent[]> {
  const part = { before: Number(before ?? Number.MAX_SAFE_INTEGER), limit };
  const found = await podEventsOf(deps, accountId, podId, part);
  return found.map((event) => podEventRead(key, event));
}

function podEventRead(asker: ApiKey, view: PodEventView): PodEvent {
  const { was, became, actor, keyId, keyName, member } = view;
  return {
    id: String(view.n),
    at: instant(view.at),
    event: view.event,
    ...(was && { from: was }),
    ...(became && { to: became }),
    message: view.line,
    actor: member ? "member" : actor,
    ...(roleCovers(asker.member?.role ?? null, "account", "read") && {
      ...(keyId !== null && { keyId }),
      ...(keyName !== null && { keyName }),
      ...(member && { memberId: member.id, memberEmail: member.email }),
    }),
  };
}
