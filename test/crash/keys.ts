// Concurrency keys in the database of a killed service: no key may have more jobs admitted than its limit.

import type { Books } from "./books.ts";
import type { Ledger } from "./ledger.ts";
import { KEY_LIMIT } from "./plan.ts";

interface Key {
  key: string;
  admitted: number;
  held: number;
}

/** Checks every key, and counts the jobs that were held when the service was killed. */
export async function auditKeys(books: Books, ledger: Ledger): Promise<void> {
  const keys = await books.all<Key>(
    `select concurrency_key as key, count(*) filter (where state in ('IN_QUEUE', 'IN_PROGRESS')) as admitted,
       count(*) filter (where state = 'DELAYED') as held
     from job where concurrency_key is not null group by concurrency_key`,
  );
  for (const { key, admitted, held } of keys) {
    if (admitted > KEY_LIMIT) ledger.wrongs.push(`${key} has ${admitted} jobs admitted`);
    if (held > 0 && admitted < KEY_LIMIT)
      ledger.wrongs.push(`${key} holds ${held} jobs with ${admitted} admitted`);
    ledger.heldAtKills += held;
  }
  await books.close();
}
