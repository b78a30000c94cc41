// Subcommands of a noun that no route alone describes.

import type { Command as Program } from "commander";

/** Keyed by the name of the noun. */
export const nounCommands: Record<string, (program: Program) => Promise<void>> = {
  batch: async (program) => (await import("../jobs/batch.ts")).addBatchCommands(program),
  jobs: async (program) => (await import("../jobs/export-jobs.ts")).addJobExport(program),
  members: async (program) => (await import("./member-removal.ts")).addMemberRemoval(program),
  sandboxes: async (program) => (await import("./sandbox-exec.ts")).addSandboxExec(program),
};
