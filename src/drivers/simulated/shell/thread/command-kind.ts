// What a command asks of the simulated shell: a shell that reads lines, or one script. Pure.

import { shellWord } from "../../../../base/text/shell-quote.ts";

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/;
/** A part of a script that only looks for a shell. */
const LOOKUP = /^(?:command -v \S+|which \S+|(?:\[|test) -x \S+(?: \])?)(?: *[12&]?>\S+)*$/;
const START = /^(?:exec )?(?:\/(?:usr\/)?bin\/)?(?:ba)?sh(?: -[lis]+| --login)*$/;

export type CommandKind = { kind: "shell" } | { kind: "script"; script: string; reads: string };

export function kindOf(command: readonly string[]): CommandKind {
  const [program = "", ...args] = command;
  if (SHELL.test(program)) {
    const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
    const options = at === -1 ? args : args.slice(0, at);
    if (at === -1 && options.every((arg) => /^-[lis]+$|^--login$/.test(arg)))
      return { kind: "shell" };
    const script = args[at + 1];
    if (at !== -1 && script !== undefined) {
      if (startsShell(script)) return { kind: "shell" };
      const rest = args.slice(at + 2);
      // Its own shell, so that `exit` and variables are those of the script.
      if (rest.length === 0) return { kind: "script", script, reads: script };
      return {
        kind: "script",
        script: ["bash", "-c", script, ...rest].map(shellWord).join(" "),
        reads: script,
      };
    }
  }
  const script = command.map(shellWord).join(" ");
  return { kind: "script", script, reads: command.join(" ") };
}

function startsShell(script: string): boolean {
  const parts = script.split(/&&|\|\||[;\n]/).map((part) => part.trim());
  const rest = parts.filter((part) => part !== "" && !LOOKUP.test(part));
  return rest.length > 0 && rest.every((part) => START.test(part));
}
