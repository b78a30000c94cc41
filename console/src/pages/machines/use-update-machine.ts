// The write that changes a machine.

import type { Schema } from "../../api/client.ts";
import { useWrite, type WriteState } from "../../api/use-write.ts";

type Update = Schema["MachineUpdate"];

interface Options {
  success: string | ((machine: Schema["Machine"]) => string);
  toastError?: boolean;
}

interface UpdateMachine extends WriteState {
  run: (update: Update) => Promise<unknown>;
  start: (update: Update) => void;
}

export function useUpdateMachine(machineId: string, options: Options): UpdateMachine {
  const write = useWrite("patch", "/v1/machines/{machineId}", options);
  const init = (update: Update) => ({
    params: { path: { machineId } },
    // openapi-fetch takes a field that can only be null for a read-only one.
    body: update as Omit<Update, "hostKey">,
  });
  return {
    ...write,
    run: (update) => write.run(init(update)),
    start: (update) => write.start(init(update)),
  };
}
