// A reason not to start, or not to do what a command asked: clear sentences and exit code 1.

export class Refusal extends Error {
  override readonly name: string = "Refusal";
}

/** Everything that is wrong with a configuration, a sentence on each line. */
export class ConfigMistakes extends Refusal {
  override readonly name = "ConfigMistakes";
  constructor(mistakes: string[]) {
    super(mistakes.join("\n"));
  }
}
