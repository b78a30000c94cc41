// The table `machine_load`: the load of machines, a row for each interval.

import type { MachineLoad } from "../../domain/machine/load/load.ts";
import { change, rows, type Tx } from "../engine/statement.ts";

/** In place of what the interval has. */
export function* saveLoad(machine: string, { at, ...load }: MachineLoad): Tx<void> {
  yield* change(
    `insert into machine_load (machine, at, load) values (?, ?, ?)
     on conflict (machine, at) do update set load = excluded.load`,
    ...[machine, at, JSON.stringify(load)],
  );
}

/** The intervals that began from one instant to another, oldest first. */
export function* loadsBetween(machine: string, from: number, to: number): Tx<MachineLoad[]> {
  const loads = yield* rows<{ at: number; load: string }>(
    "select at, load from machine_load where machine = ? and at >= ? and at <= ? order by at",
    ...[machine, from, to],
  );
  return loads.map(({ at, load }) => ({ at, ...JSON.parse(load) }));
}

/** Deletes up to `limit` intervals that began earlier. */
export function* forgetLoads(before: number, limit: number): Tx<void> {
  yield* change(
    `delete from machine_load where (machine, at) in (
       select machine, at from machine_load where at < ? order by at limit ?)`,
    ...[before, limit],
  );
}
