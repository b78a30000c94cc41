// The owner of a row, in the column owner_id: read with the member's name, which stays after a removal.

import type { Owned } from "../../../domain/member/member.ts";

export interface OwnerColumns {
  owner_id: string | null;
  owner_name: string | null;
}

/** All columns of a table with owners, and the name of each row's. */
export const withOwner = (table: string) =>
  `${table}.*, (select name from member where member.id = ${table}.owner_id) as owner_name`;

export function ownerFrom({ owner_id: id, owner_name: name }: OwnerColumns): Owned {
  return id !== null && name !== null ? { owner: { id, name } } : {};
}
