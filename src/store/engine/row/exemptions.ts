// The exemptions of an account, as its row has them.

import type { Exemption } from "../../../domain/usage/exemption.ts";

/** The last text that was read: the Pods of an account have the same one. */
let last: { text: string; all: Exemption[] } = { text: "[]", all: [] };

export function exemptionsFrom(text: string | null): Exemption[] {
  if (text === null) return [];
  if (text !== last.text) last = { text, all: JSON.parse(text) as Exemption[] };
  return last.all;
}
