// A Pod's events: the lines of its system log that are about one, with the names of key and member.

import type { LoggedEvent } from "../../domain/pod/pod-event.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { rows, type Tx } from "../engine/statement.ts";

export interface PodEventEntry extends LoggedEvent {
  /** Rises with every event, with gaps. */
  n: number;
  at: number;
  /** What happened, and why, in words. */
  line: string;
  keyName: string | null;
  /** The member whose key it is. */
  member: { id: string; email: string } | null;
}

interface EventRow {
  n: number;
  at: number;
  line: string;
  event: LoggedEvent["event"];
  was: LoggedEvent["from"];
  became: LoggedEvent["to"];
  actor: LoggedEvent["actor"];
  key_id: string | null;
  key_name: string | null;
  member_id: string | null;
  email: string | null;
}

const LINE_COLUMNS = qualified(
  "line",
  columnList<Omit<EventRow, "key_name" | "member_id" | "email">>()(
    "n",
    "at",
    "line",
    "event",
    "was",
    "became",
    "actor",
    "key_id",
  ),
);

/** Newest first; only events before the number `before`. */
export function* podEvents(
  id: string,
  { before, limit }: { before: number; limit: number },
): Tx<PodEventEntry[]> {
  const found = yield* rows<EventRow>(
    `select ${LINE_COLUMNS}, api_key.name as key_name, member.id as member_id, member.email as email
     from system_line as line
     left join api_key on api_key.id = line.key_id
     left join member on member.id = api_key.member_id
     where line.workload = ? and line.event is not null and line.n < ?
     order by line.n desc limit ?`,
    id,
    before,
    limit,
  );
  return found.map((row) => ({
    n: row.n,
    at: row.at,
    line: row.line,
    event: row.event,
    from: row.was,
    to: row.became,
    actor: row.actor,
    keyId: row.key_id,
    keyName: row.key_name,
    member: row.member_id === null ? null : { id: row.member_id, email: row.email! },
  }));
}
