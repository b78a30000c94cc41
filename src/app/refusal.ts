// A reason not to start or not to run a command: clear sentences and exit code 1.

export class Refusal extends Error {
  override readonly name: string = "Refusal";
}

/** All errors of a configuration, one sentence per line. */
export class ConfigErrors extends Refusal {
  override readonly name = "ConfigMistakes";
  constructor(errors: string[]) {
    super(errors.join("\n"));
  }
}
