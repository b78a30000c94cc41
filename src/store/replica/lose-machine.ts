// A machine that nobody has any more is given up with all that ran on it.

import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { markEnded } from "../worker/worker.ts";

/** Marks its workers as ended, unless its replica was heard of after all; returns how many. */
export function* loseMachine(machine: string, heard: number, now: number): Verb<number> {
  if (yield* row("select 1 from replica where machine = ? and seen_at > ?", machine, heard)) {
    return 0;
  }
  const lost = yield* rows<{ id: string }>(
    "select id from worker where machine = ? and observed <> 'ended'",
    machine,
  );
  for (const { id } of lost) {
    yield* change("update worker set desired_reason = ? where id = ?", MACHINE_LOST, id);
    yield* markEnded(id, { at: now, exitCode: null, signal: null });
  }
  if (lost.length > 0) yield* ring(topic.workloads);
  return lost.length;
}

const MACHINE_LOST = "the machine it ran on was lost";
