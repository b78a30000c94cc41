// A reason not to start, or not to do what a command asked: one clear sentence and exit code 1.

export class Refusal extends Error {
  override readonly name = "Refusal";
}
