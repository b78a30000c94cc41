// A command cannot be run in a workload.

/** The sentence says why. */
export class ExecRefused extends Error {
  override readonly name = "ExecRefused";
}
