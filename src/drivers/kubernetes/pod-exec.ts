// Commands in the container of a Pod. Each has a mark in its environment, by which its end finds every process that it started.

import { ExecRefused } from "../../domain/container/exec-refused.ts";
import type { ExecRequest, Execution } from "../driver.ts";
import { KILL_MARKED_SCRIPT, MARK_VARIABLE } from "../exec-mark.ts";
import { ApiError } from "./client/api-error.ts";
import { execInPod } from "./client/exec.ts";
import type { KubernetesCluster } from "./cluster.ts";
import { CONTAINER } from "./pod/pod-object.ts";

/** Starts a command with a mark in its environment. */
const marking = (mark: string) => ["sh", "-c", `${MARK_VARIABLE}="$0" exec "$@"`, mark];

/** `pod` is the path of the Pod in the API. Rejects with ExecRefused if Kubernetes refuses the command. */
export async function execMarked(
  { client }: KubernetesCluster,
  pod: string,
  request: ExecRequest,
  mark: string,
): Promise<Execution> {
  const run = (each: ExecRequest) =>
    execInPod(client, pod, CONTAINER, each).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      throw new ExecRefused(`Kubernetes says: ${error.message}`);
    });
  const execution = await run({ ...request, command: [...marking(mark), ...request.command] });
  const close = execution.end.bind(execution);
  execution.end = async () => {
    await close();
    const script = ["sh", "-c", KILL_MARKED_SCRIPT, "sh", `${MARK_VARIABLE}=${mark}`];
    const kill = await run({ command: script, tty: null });
    for await (const _ of kill.output);
  };
  return execution;
}
