// Two collections of garbage that V8 by itself makes too late or too dear.

import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { MIB } from "./units.ts";

/** Half of what makes V8 mark its heap. */
const SCAVENGE_BYTES = 32 * MIB;

type Collect = (options: { type: "minor" | "major"; flavor?: "last-resort" }) => void;

let unscavengedBytes = 0;
let loaded: Collect | null = null;

/**
 * Call it for each buffer of a long stream, whether it is still in use or not. Buffers lie outside V8's heap, and after every
 * 64 MB of new ones V8 marks its whole heap to find what can be freed. A scavenge frees nearly all of them in a
 * hundredth of the time, but V8 starts one only when young objects take room in the heap, and a stream makes few.
 */
export function countBuffer(bytes: number): void {
  unscavengedBytes += bytes;
  if (unscavengedBytes < SCAVENGE_BYTES) return;
  unscavengedBytes = 0;
  collect({ type: "minor" });
}

/** Gives back what is not in use, such as the text of modules and the room of young objects. An idle V8 keeps it. */
export function freeUnused(): void {
  collect({ type: "major", flavor: "last-resort" });
}

const collect: Collect = (options) => {
  loaded ??= load();
  loaded(options);
};

function load(): Collect {
  v8.setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as Collect;
}
