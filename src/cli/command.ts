// A command of the command line: its usage, and its action.

export interface Command {
  /** What `freehold help <command>` prints below the first line; `words` are the subcommands behind it. */
  usage(words: string[]): Promise<Help>;
  /**
   * Runs the command and returns the exit code. Throws Refusal, with one sentence, if it cannot.
   */
  run(args: string[]): Promise<number | undefined>;
}

export interface Help {
  /** The command with its subcommand: "pods create". */
  path: string;
  /** What a subcommand does; empty for a command, which the table describes. */
  about: string;
  text: string;
}

/** A row of the command table. */
export interface CommandEntry {
  about: string;
  load(): Promise<Command>;
}
