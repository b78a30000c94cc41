// Records what becomes of a sandbox in the commit that changes its Pod.

import type { Pod } from "../../domain/pod/pod.ts";
import { endState, type Sandbox, type SandboxEnd } from "../../domain/sandbox/sandbox.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  forgetSandboxesBefore,
  insertSandbox,
  lockSandbox,
  replaceSandbox,
} from "../../store/sandbox/sandbox.ts";

/** Its Pod is inserted in the same commit. */
export function* recordSandbox(sandbox: Sandbox): Tx<void> {
  yield* insertSandbox(sandbox);
}

/** Forgets those that ended before an instant. */
export function* sweepSandboxes(before: number): Tx<void> {
  yield* forgetSandboxesBefore(before);
}

/** Its idle time begins when its container runs. */
export function* noteSandboxRunning({ id }: Pick<Pod, "id">, at: number): Tx<void> {
  const sandbox = yield* lockSandbox(id);
  if (sandbox?.state !== "CREATING") return;
  const activeAt = Math.max(at, sandbox.activeAt);
  yield* replaceSandbox({
    ...sandbox,
    state: "RUNNING",
    startedAt: at,
    activeAt,
    updatedAt: activeAt,
  });
}

/** Keeps the first end that is recorded. */
export function* noteSandboxEnd({ id }: Pick<Pod, "id">, end: SandboxEnd): Tx<void> {
  const sandbox = yield* lockSandbox(id);
  if (!sandbox || sandbox.end !== null) return;
  yield* replaceSandbox({ ...sandbox, state: endState(end), end, updatedAt: end.at });
}
