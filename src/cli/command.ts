// A command of the command line: its usage, and its action.

export interface Command {
  /**
   * What `freehold help <command>` prints below the first line; `words` are the subcommands behind it.
   */
  usage: string | ((words: string[]) => Promise<string>);
  /**
   * Runs the command and returns the exit code. Throws Refusal, with one sentence, if it cannot.
   */
  run(args: string[]): Promise<number | undefined>;
}

/** A row of the command table. */
export interface CommandEntry {
  about: string;
  load(): Promise<Command>;
}
