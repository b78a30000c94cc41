// The error of a command that cannot be run in a workload.

/** Its message says why. */
export class ExecRefused extends Error {
  override readonly name = "ExecRefused";
}
