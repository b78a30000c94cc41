// The table `setting`: values that all processes on one store share.

import { change, row, type Tx } from "../engine/statement.ts";

/** Sets the value unless one is set; returns the one that is set. */
export function* ensureSetting(name: string, value: string): Tx<string> {
  yield* change(
    "insert into setting (name, value) values (?, ?) on conflict (name) do nothing",
    name,
    value,
  );
  return (yield* findSetting(name))!;
}

export function* findSetting(name: string): Tx<string | null> {
  const setting = yield* row<{ value: string }>("select value from setting where name = ?", name);
  return setting?.value ?? null;
}

export function* saveSetting(name: string, value: string): Tx<void> {
  yield* change(
    "insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    name,
    value,
  );
}
