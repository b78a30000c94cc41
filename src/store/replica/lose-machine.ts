// A machine that nobody has any more is given up with all that ran on it.

import { change, ring, row, rows, type Verb } from "../statement.ts";
import { EVERYBODY, topic } from "../wakes.ts";
import { markEnded } from "../worker/worker.ts";

/** Which of its workers: all, or those that nobody has started there yet. */
export type Lost = "all" | "not_started";

/** Marks its workers as ended, unless its replica was heard of after all; returns how many. */
export function* loseMachine(
  machine: string,
  which: Lost,
  heard: number,
  now: number,
): Verb<number> {
  if (yield* row("select 1 from replica where machine = ? and seen_at > ?", machine, heard)) {
    return 0;
  }
  const lost = yield* rows<{ id: string }>(
    `select id from worker where machine = ? and observed ${which === "all" ? "<> 'ended'" : "= 'new'"}`,
    machine,
  );
  for (const { id } of lost) {
    yield* change("update worker set desired_reason = ? where id = ?", sentences[which], id);
    yield* markEnded(id, { at: now, exitCode: null, signal: null });
  }
  if (lost.length > 0) yield* ring(topic.workloads);
  yield* ring(topic.changed(EVERYBODY, "machine", machine));
  return lost.length;
}

const sentences: Record<Lost, string> = {
  all: "the machine it ran on was lost",
  not_started: "the machine it was to run on fell silent before it was started",
};
