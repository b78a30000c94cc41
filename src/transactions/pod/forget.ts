// Deletes a terminated Pod's row, once its data is removed from its machine.

import type { Tx } from "../../store/engine/statement.ts";
import { forgetArchivedLog } from "../../store/log/archived-log.ts";
import { forgetSystemLines } from "../../store/log/system-log.ts";
import { removePorts } from "../../store/pod/ports.ts";
import { removeTerminated } from "../../store/pod/row.ts";

export function* forgetPod(id: string): Tx<void> {
  if (!(yield* removeTerminated(id))) return;
  yield* removePorts(id);
  yield* forgetSystemLines(id);
  yield* forgetArchivedLog(id);
}
