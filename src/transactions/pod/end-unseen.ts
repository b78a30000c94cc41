// Ends the bill of a container that should not run and whose end nothing can report any more.

import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { lockPod } from "../../store/pod/row.ts";
import { isEndUnseen, lastReportOf } from "../../store/pod/unseen-end.ts";
import { endMeter } from "../money/meter.ts";
import { meterStopped } from "./meter.ts";

const TEXT =
  "nothing can report any more whether the container has ended: it is not billed any longer";

/** It is billed until its stop, or for as long after it as its machine reported; false if it is wanted or reported now. */
export function* endUnseen(id: string, now: number): Tx<boolean> {
  const pod = yield* lockPod(id);
  if (!pod || pod.desired.state === "RUNNING" || !(yield* isEndUnseen(id))) return false;
  const { desired, placement, accountId } = pod;
  const reportedAt = (yield* lastReportOf(placement.machine)) ?? 0;
  const at = Math.min(now, Math.max(desired.changedAt, reportedAt));
  if (desired.state === "TERMINATED") yield* endMeter(id, at);
  else yield* meterStopped(id, at);
  yield* addSystemLine(id, now, TEXT);
  yield* notify(topic.changed(accountId, "pod", id));
  return true;
}
