// What a worker says about the start of its program, in a header of its first calls. Pure.

/** How many ms ago the process began, and how many ms ago the module of its handler had been loaded. */
export interface ProgramStart {
  processMs: number;
  loadedMs: number;
}

export const PROGRAM_START_HEADER = "freehold-worker-start";

/** Null for a header that is absent, malformed or contradicts itself. */
export function readProgramStart(header: string | string[] | undefined): ProgramStart | null {
  const found = /^process=(\d{1,10}), loaded=(\d{1,10})$/.exec(String(header ?? ""));
  if (!found) return null;
  const [processMs, loadedMs] = [Number(found[1]), Number(found[2])];
  return loadedMs <= processMs ? { processMs, loadedMs } : null;
}
