// A Pod's events, as they stand among the lines of its system log.

import type { Happening } from "../../domain/pod/happening.ts";
import { rows, type Verb } from "../statement.ts";

export interface KeptPodEvent extends Happening {
  /** Rises with every event; not every number is one. */
  n: number;
  at: number;
  /** What happened, and why, in words. */
  line: string;
  /** The key's name, and whose it is, where it is a member's. */
  keyName: string | null;
  member: { id: string; email: string } | null;
}

interface EventRow {
  n: number;
  at: number;
  line: string;
  event: Happening["event"];
  was: Happening["was"];
  became: Happening["became"];
  actor: Happening["actor"];
  key_id: string | null;
  key_name: string | null;
  member_id: string | null;
  email: string | null;
}

/** The newest first; only those before a number. */
export function* podEvents(
  id: string,
  { before, limit }: { before: number; limit: number },
): Verb<KeptPodEvent[]> {
  const found = yield* rows<EventRow>(
    `select line.*, api_key.name as key_name, member.id as member_id, member.email as email
     from system_line as line
     left join api_key on api_key.id = line.key_id
     left join member on member.id = api_key.member_id
     where line.workload = ? and line.event is not null and line.n < ?
     order by line.n desc limit ?`,
    id,
    before,
    limit,
  );
  return found.map(({ key_id: keyId, key_name: keyName, member_id: memberId, email, ...row }) => ({
    n: row.n,
    at: row.at,
    line: row.line,
    event: row.event,
    was: row.was,
    became: row.became,
    actor: row.actor,
    keyId,
    keyName,
    member: memberId === null ? null : { id: memberId, email: email! },
  }));
}
