// Attends the machines at addresses of their own whose duty is this replica's. What reaches them, an
// engine's client and SSH, is read with the first of them: most services have none.

import { attendLoop } from "../../loops/attend.ts";
import type { Loop } from "../../loops/loop.ts";
import type { AttendDeps } from "./attendance.ts";

export function attendRemotes(deps: AttendDeps): Loop {
  const { parts, rhythm, duties } = deps;
  const { store, log } = parts;
  return attendLoop({
    ...{ store, log, rhythm, duties },
    attend: async (remote) => (await import("./attendance.ts")).attend(deps, remote),
  });
}
