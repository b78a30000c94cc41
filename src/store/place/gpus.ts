// Who has which GPU of a machine: each stands in the table once, so none is ever given twice.

import { change, rows, type Verb } from "../statement.ts";

/** Who comes second fails, and looks again. */
export function* giveGpus(holder: string, machine: string, gpus: readonly number[]): Verb<void> {
  for (const gpu of gpus) {
    yield* change(
      "insert into held_gpu (machine, gpu, holder) values (?, ?, ?)",
      machine,
      gpu,
      holder,
    );
  }
}

export function* freeGpus(holder: string): Verb<void> {
  yield* change("delete from held_gpu where holder = ?", holder);
}

/** A workload with the GPUs that it was started with last, also those it has no right to any more. */
export interface Started {
  id: string;
  gpus: readonly number[];
}

/** All of a machine that were given some. */
export function* startedWithGpus(machine: string): Verb<Started[]> {
  const found = yield* rows<{ id: string; gpus: string }>(
    `select id, started_gpus as gpus from pod where machine = ? and started_gpus <> ''
     union all select id, gpus from worker where machine = ? and gpus <> ''`,
    machine,
    machine,
  );
  return found.map(({ id, gpus }) => ({ id, gpus: gpus.split(",").map(Number) }));
}
