// The table `setting`: values that all processes on one store share.

import { change, row, rows, type Tx } from "../engine/statement.ts";

interface Setting {
  name: string;
  value: string;
}

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
  const setting = yield* row<Setting>("select value from setting where name = ?", name);
  return setting?.value ?? null;
}

/** Transactions that hold the same setting follow one another until they commit. */
export function* holdSetting(name: string): Tx<void> {
  yield* ensureSetting(name, "");
  yield* row("select name from setting where name = ? /*+ for update */", name);
}

/** The settings whose names begin with `prefix`, which contains none of %, _ and \. */
export function* settingsBelow(prefix: string): Tx<Setting[]> {
  return yield* rows<Setting>(
    "select name, value from setting where name like ? order by name",
    `${prefix}%`,
  );
}

export function* saveSetting(name: string, value: string): Tx<void> {
  yield* change(
    "insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    name,
    value,
  );
}

export function* deleteSetting(name: string): Tx<void> {
  yield* change("delete from setting where name = ?", name);
}
