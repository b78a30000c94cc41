// Memory of the buffers that sockets and files fill. It lies outside V8's heap, and after every 64 MB of it V8 marks its whole
// heap to find what can be freed. A scavenge frees nearly all of it in a hundredth of the time, but V8 starts one only
// when its young objects take too much room, and a stream of buffers has few.

import v8 from "node:v8";
import { runInNewContext } from "node:vm";

/** Half of what makes V8 mark its heap. */
const SCAVENGE_BYTES = 32 * 1_024 * 1_024;

let unscavengedBytes = 0;
let scavenge: (() => void) | null = null;

/** Call it for each buffer of a long stream, whether it is still in use or not. */
export function countBuffer(bytes: number): void {
  unscavengedBytes += bytes;
  if (unscavengedBytes < SCAVENGE_BYTES) return;
  unscavengedBytes = 0;
  scavenge ??= findScavenge();
  scavenge();
}

function findScavenge(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options: { type: "minor" }) => void;
  return () => gc({ type: "minor" });
}
