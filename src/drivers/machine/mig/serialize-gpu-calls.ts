// Readings of a machine's GPUs and changes of their MIG layout, one at a time.

import { Deadline, systemClock, within } from "../../../base/clock.ts";
import type { ReadGpus } from "../gpu-reader.ts";
import type { SetMigLayout } from "./set-mig-layout.ts";

/** The limit of a wait: a change that hangs in the driver prevents neither readings nor a stop of the service. */
const WAIT_MS = 30_000;

interface GpuCalls {
  readGpus: ReadGpus;
  setMigLayout: SetMigLayout;
}

/**
 * A reading in the middle of a change finds a GPU in MIG mode without devices, or a list of devices that its document does not
 * have: it would call GPUs faulty that are not.
 */
export function serializeGpuCalls({ readGpus, setMigLayout }: GpuCalls): GpuCalls {
  let reading: Promise<unknown> = Promise.resolve();
  let change: Promise<unknown> = Promise.resolve();
  return {
    readGpus(forgottenLinks) {
      const result = ended(change).then(() => readGpus(forgottenLinks));
      reading = result;
      return result;
    },
    setMigLayout(uuid, profiles, record) {
      const result = ended(reading).then(() => setMigLayout(uuid, profiles, record));
      change = result;
      return result;
    },
  };
}

async function ended(work: Promise<unknown>): Promise<void> {
  await within(new Deadline(systemClock, WAIT_MS), () => work.catch(() => {}));
}
