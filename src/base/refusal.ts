// A reason not to start or not to run a command: clear sentences and an exit code.

/** docs/cli.md lists them. A command that ran another program ends with that program's code. */
export const exitCodes = {
  /** The service, or the command itself, refuses. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  notFound: 3,
  unreachable: 4,
  /** The key is missing, wrong, or not permitted to do this. */
  denied: 5,
  /** The job, Pod, endpoint or test message that the command waited for did not succeed; answers differ from recorded ones. */
  unsuccessful: 6,
  /** The command stopped waiting, as timeout(1) does. */
  timedOut: 124,
} as const;

export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line itself is wrong. */
export class UsageError extends Refusal {
  override readonly name = "UsageError";
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** All errors of a configuration, one sentence per line. */
export class ConfigErrors extends Refusal {
  override readonly name = "ConfigErrors";
  constructor(errors: string[]) {
    super(errors.join("\n"));
  }
}
