// Sign-ins and logouts of all replicas follow one another: a logout that finds no sign-in is seen by one that is stored later.

import type { Tx } from "../../store/engine/statement.ts";
import { holdSetting } from "../../store/setting/setting.ts";

export function* holdSignIns(): Tx<void> {
  yield* holdSetting("sign-in-lock");
}
