// Whether the session may change schedules. They submit jobs, so this takes write permission for the queue too.

import { useCanWrite } from "../../api/session.ts";

export function useCanSchedule(): boolean {
  const mayWriteRest = useCanWrite();
  const mayWriteQueue = useCanWrite("queue");
  return mayWriteRest && mayWriteQueue;
}
