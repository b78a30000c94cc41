// What every command of the command line is: how it is used, and what it does.

export interface Command {
  /** What `freehold help <command>` prints below the first line. */
  usage: string;
  /** Does it; the number is the exit code. Throws Refusal with one sentence where it cannot. */
  run(args: string[]): Promise<number | undefined>;
}
