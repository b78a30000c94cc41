// What an account spends at the moment, by category.

import { row, type Tx } from "../engine/statement.ts";

/** In micro-dollars per hour, after savings plans. */
export interface SpendingNow {
  /** Pods' disks and volumes. */
  localStorage: number;
  networkStorage: number;
  /** GPUs and CPUs of Pods and workers. */
  compute: number;
}

export function* spendingNow(accountId: string): Tx<SpendingNow> {
  const found = yield* row<Record<"whole" | "network" | "local", number | null>>(
    `select sum(rate) as whole, sum(case when kind = 'volume' then rate else 0 end) as network,
       sum(case when kind in ('pod', 'cluster', 'sandbox') then disk_rate else 0 end) as local
     from usage where account_id = ? and ended_at is null`,
    accountId,
  );
  const [whole, network, local] = [found?.whole, found?.network, found?.local].map(Number);
  return {
    localStorage: local || 0,
    networkStorage: network || 0,
    compute: (whole || 0) - (network || 0) - (local || 0),
  };
}
