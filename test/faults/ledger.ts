// Money under faults: a Pod that is metered while they last, and the ledger afterward.

import assert from "node:assert/strict";
import { postgresBooks } from "../crash/books.ts";
import { until } from "../fixtures/until.ts";
import type { Scene } from "./scene.ts";

/** Starts a Pod on a replica's machine, and waits until it is metered. */
export async function startPod({ connection, seeded: { key } }: Scene) {
  const body = { name: "metered", imageName: "simulated", driver: "simulated", computeType: "CPU" };
  const answer = await connection.insist({
    method: "POST",
    path: "/v1/pods",
    key,
    body: JSON.stringify(body),
    headers: { "idempotency-key": "pod" },
  });
  assert.equal(answer?.status, 201, answer?.text);
  const { id } = JSON.parse(answer!.text) as { id: string };
  const path = `/v1/pods/${id}`;
  const isRunning = async () => {
    const { text } = (await connection.insist({ method: "GET", path, key }))!;
    return /"lastStartedAt":"/.test(text);
  };
  await until(isRunning);
  return {
    /** Its last usage ends with it. */
    async delete() {
      await connection.insist({ method: "POST", path: `${path}/stop`, key });
    },
  };
}

/** What does not add up, of all that was metered and charged. */
export async function ledgerErrors(url: string): Promise<string[]> {
  const books = await postgresBooks(url);
  const unequal = await books.all<{ id: number }>(
    "select transaction_id as id from ledger_entry group by transaction_id having sum(micros) <> 0",
  );
  const balances = await books.all<{ book: string }>(
    `select book from ledger_balance where micros <> (select coalesce(sum(micros), 0) from ledger_entry
     where ledger_entry.account_id = ledger_balance.account_id and ledger_entry.book = ledger_balance.book)`,
  );
  const [sums] = await books.all<{ owed: number; charged: number }>(
    `select
       (select coalesce(sum(owed), 0) from (
          select floor(sum(cast(rate as numeric) * (metered_to - began_at)) / 3600000) as owed
          from usage group by resource_id) as resources) as owed,
       (select coalesce(sum(micros), 0) from ledger_entry join ledger_transaction
          on ledger_transaction.id = transaction_id where kind = 'usage' and book = 'revenue') as charged`,
  );
  await books.close();
  return [
    ...unequal.map(({ id }) => `transaction ${id} does not sum to zero`),
    ...balances.map(({ book }) => `a balance of ${book} is not the sum of its entries`),
    ...(sums!.owed === sums!.charged ? [] : [`${sums!.owed} owed, ${sums!.charged} charged`]),
    ...(sums!.charged > 0 ? [] : ["nothing was charged"]),
  ];
}
