// The held_gpu table: the GPUs that each workload holds. Its primary key prevents a double allocation.

import { change, row, rows, type Tx } from "../engine/statement.ts";

/** Fails if another workload holds one of the GPUs. */
export function* allocateGpus(holder: string, machine: string, gpus: readonly number[]): Tx<void> {
  for (const gpu of gpus) {
    yield* change(
      "insert into held_gpu (machine, gpu, holder) values (?, ?, ?)",
      machine,
      gpu,
      holder,
    );
  }
}

export function* releaseGpus(holder: string): Tx<void> {
  yield* change("delete from held_gpu where holder = ?", holder);
}

/** The GPUs of all machines with the workloads that hold them. */
export function* gpuHolders(): Tx<{ machine: string; gpu: number; holder: string }[]> {
  return yield* rows("select machine, gpu, holder from held_gpu order by holder");
}

/** The workload that holds a GPU; null for none. */
export function* holderOf(machine: string, gpu: number): Tx<string | null> {
  const found = yield* row<{ holder: string }>(
    "select holder from held_gpu where machine = ? and gpu = ?",
    machine,
    gpu,
  );
  return found?.holder ?? null;
}

/** The workloads that hold one of these GPUs or more. */
export function* holdersOf(machine: string, gpus: readonly number[]): Tx<string[]> {
  if (gpus.length === 0) return [];
  const found = yield* rows<{ holder: string }>(
    `select distinct holder from held_gpu
     where machine = ? and gpu in (${gpus.map(() => "?").join(", ")}) order by holder`,
    machine,
    ...gpus,
  );
  return found.map(({ holder }) => holder);
}

/** The GPUs that a workload holds. */
export function* gpusHeldBy(holder: string): Tx<{ machine: string; gpu: number }[]> {
  return yield* rows("select machine, gpu from held_gpu where holder = ? order by gpu", holder);
}

/** The held GPUs of one machine, or of all if `machine` is null. */
export function* heldGpus(machine: string | null): Tx<{ machine: string; gpu: number }[]> {
  const only = machine ?? "";
  return yield* rows<{ machine: string; gpu: number }>(
    "select machine, gpu from held_gpu where ? = '' or machine = ?",
    only,
    only,
  );
}
