// The write that starts, stops, restarts or resets a Pod.

import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";

type Pod = Schema["Pod"];
type StateChange = "start" | "stop" | "restart" | "reset";

const progressTexts: Record<StateChange, string> = {
  start: "is starting",
  stop: "is stopping",
  restart: "is restarting",
  reset: "is resetting",
};

export function useChangePodState(pod: Pod, change: StateChange, toastError = false) {
  const write = useWrite("post", `/v1/pods/{podId}/${change}`, {
    success: `Pod ${pod.name} ${progressTexts[change]}`,
    toastError,
  });
  const init = { params: { path: { podId: pod.id } } };
  return { ...write, run: () => write.run(init), start: () => write.start(init) };
}
