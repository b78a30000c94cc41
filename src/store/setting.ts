// Single values that all processes on one store agree on.

import { change, row, type Verb } from "./statement.ts";

/** Keeps the value if there is none yet; returns the one that holds. */
export function* settleSetting(name: string, value: string): Verb<string> {
  yield* change(
    "insert into setting (name, value) values (?, ?) on conflict (name) do nothing",
    name,
    value,
  );
  const kept = yield* row<{ value: string }>("select value from setting where name = ?", name);
  return kept!.value;
}
