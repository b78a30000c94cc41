// The table `gpu_use`: what projects have used of GPUs up to one instant, decayed at that instant; and the usages since then.

import { change, rows, type Tx } from "../engine/statement.ts";

/** The instant up to which the uses are folded. */
export const FOLDED_AT = "gpu_use.folded_at";
export const HALF_LIFE = "gpu_use.half_life_ms";

export interface GpuUses {
  foldedAt: number;
  halfLifeMs?: number | undefined;
  /** The use of every project but deleted ones. */
  folded: { accountId: string; projectId: string; gpuMs: number }[];
  /** Usages of a GPU type that did not end before that instant. */
  since: {
    accountId: string;
    ownerId: string | null;
    gpuTypeId: string;
    gpus: number;
    from: number;
    to: number;
  }[];
}

interface Row {
  kind: "setting" | "folded" | "usage";
  /** The account, or the name of a setting. */
  accountId: string;
  projectId: string;
  ownerId: string | null;
  gpuTypeId: string;
  /** The value of a setting, GPU-milliseconds, or GPUs. */
  amount: number;
  beganAt: number;
  endedAt: number;
}

const FOLDED = `(select coalesce(max(cast(value as bigint)), 0) from setting where name = '${FOLDED_AT}')`;

/** One statement, so that a usage is not both folded and read. */
const all = `
  select 'setting' as kind, name as "accountId", '' as "projectId", null as "ownerId", '' as "gpuTypeId",
    cast(value as bigint) as amount, 0 as "beganAt", 0 as "endedAt" from setting where name in ('${FOLDED_AT}', '${HALF_LIFE}')
  union all
  select 'folded', account_id, project_id, null, '', gpu_ms, 0, 0 from gpu_use
    where project_id = '' or exists (select 1 from project where project.id = gpu_use.project_id)
  union all
  select 'usage', account_id, '', owner_id, gpu_type_id, sum(gpus), since, until from (
    select account_id, owner_id, gpu_type_id, gpus, case when began_at < ${FOLDED} then ${FOLDED} else began_at end as since,
      cast(? as bigint) as until from usage where ended_at is null and gpus > 0
    union all
    select account_id, owner_id, gpu_type_id, gpus, case when began_at < ${FOLDED} then ${FOLDED} else began_at end, ended_at
      from usage where ended_at is not null and gpus > 0 and ended_at > ${FOLDED}) as used
  group by account_id, owner_id, gpu_type_id, since, until`;

export function* gpuUses(now: number): Tx<GpuUses> {
  const found = yield* rows<Row>(all, now);
  const settings = new Map<string, number>();
  const uses: GpuUses = { foldedAt: 0, folded: [], since: [] };
  for (const each of found) {
    const { kind, accountId, projectId, ownerId, gpuTypeId } = each;
    // PostgreSQL's sums are texts.
    const [amount, from, to] = [each.amount, each.beganAt, each.endedAt].map(Number) as [
      number,
      number,
      number,
    ];
    if (kind === "setting") settings.set(accountId, amount);
    else if (kind === "folded") uses.folded.push({ accountId, projectId, gpuMs: amount });
    else uses.since.push({ accountId, ownerId, gpuTypeId, gpus: amount, from, to });
  }
  return { ...uses, foldedAt: settings.get(FOLDED_AT) ?? 0, halfLifeMs: settings.get(HALF_LIFE) };
}

/** In place of all that were folded before. */
export function* saveFolded(folded: GpuUses["folded"]): Tx<void> {
  yield* change("delete from gpu_use");
  for (const { accountId, projectId, gpuMs } of folded) {
    yield* change(
      "insert into gpu_use (account_id, project_id, gpu_ms) values (?, ?, ?)",
      ...[accountId, projectId, Math.round(gpuMs)],
    );
  }
}
