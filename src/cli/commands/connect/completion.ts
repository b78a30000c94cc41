// `freehold completion <shell>`: a script that makes a shell ask `freehold completion suggest` for the words
// that can stand at the cursor.

import type { Command, CommandEntry } from "../../command.ts";
import { defineCommand } from "../../program/define-command.ts";
import { suggestions } from "./suggest.ts";

const suggest = "freehold completion suggest --";

const scripts = {
  bash: `_freehold() {
  local IFS=$'\\n'
  COMPREPLY=($(${suggest} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _freehold freehold
`,
  zsh: `#compdef freehold
_freehold() {
  local line
  local -a found
  for line in "\${(@f)$(${suggest} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe freehold found; else _files; fi
}
compdef _freehold freehold
`,
  fish: `complete -c freehold -f -a '(${suggest} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c freehold -n '__fish_seen_subcommand_from cp dev backup restore deploy apply record replay diff' -F
`,
};

/** The commands whose words it completes. */
export function completionCommand(commands: Record<string, CommandEntry>): Command {
  return defineCommand("completion", (program) => {
    for (const [shell, script] of Object.entries(scripts)) {
      program
        .command(shell)
        .description(`completions for ${shell}`)
        .action(() => void process.stdout.write(script));
    }
    program
      .command("suggest")
      .description("the words at the cursor, for these scripts")
      .argument("[words...]", "the words of the line, after --")
      .action(async (words: string[]) => {
        for (const { word, about } of await suggestions(commands, words)) {
          process.stdout.write(`${word}\t${about}\n`);
        }
        // A service that does not answer must not hold up the shell.
        process.exit(0);
      });
  });
}
