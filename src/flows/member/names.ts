// The names of members, those that were removed among them.

import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMemberName } from "../../store/member/member.ts";

export function memberNames(
  { store }: { store: Store },
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  return store.read(namesOfMembers, new Set(ids));
}

export function* namesOfMembers(ids: ReadonlySet<string>): Tx<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const id of ids) {
    const member = yield* findMemberName(id);
    if (member) names.set(id, member.name);
  }
  return names;
}
