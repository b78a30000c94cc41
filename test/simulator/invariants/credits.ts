// What holds when an account starts something: its credits last for an hour of everything that it desires then.

import type { KnownAccount, Simulation } from "../model.ts";
import { query, violate } from "./invariant.ts";

const HOUR_MS = 3_600_000;
/** The clocks of replicas differ for seconds after the database's was set. */
const TOLERANCE = 0.02;

export async function checkCreditsLast(simulation: Simulation, account: KnownAccount) {
  const [row] = await query<{ balance: number | null; prepaid: number }>(
    simulation,
    `select prepaid, (select micros from ledger_balance where account_id = account.id and book = 'balance') as balance
     from account where id = '${account.id}'`,
  );
  if (!row?.prepaid) return;
  const open = await query<{ rate: number; metered_to: number }>(
    simulation,
    `select rate, metered_to from usage where account_id = '${account.id}' and ended_at is null`,
  );
  const { now } = simulation.world;
  const owed = open.reduce(
    (sum, { rate, metered_to }) => sum + (rate * (now - metered_to)) / HOUR_MS,
    0,
  );
  const [desired] = await query<{ rate: number | null }>(
    simulation,
    `select sum(rate) as rate from (
       select running_rate as rate from pod
       where account_id = '${account.id}' and state = 'RUNNING' and covered_gpus = 0
       union all
       select worker.rate from worker join endpoint on endpoint.id = endpoint_id
       where account_id = '${account.id}' and desired = 'run' and observed <> 'ended') as desired`,
  );
  const [balance, perHour] = [Number(row.balance ?? 0) - owed, Number(desired?.rate ?? 0)];
  if (balance < perHour * (1 - TOLERANCE))
    violate("credits last for an hour of what is started", {
      account: account.id,
      balance,
      perHour,
    });
}
