// A mark in the environment of a command in a container, by which the command and its descendants are found and killed.

/** An environment variable that marks the command and its descendants, because engines cannot end a command. */
export const MARK_VARIABLE = "FREEHOLD_EXEC";

/** $1 is the mark; shells drop the zeros between variables. Processes that survive SIGHUP are killed. */
export const KILL_MARKED_SCRIPT = `
each() {
  for p in /proc/[0-9]*; do
    case "$(cat "$p/environ" 2>/dev/null)" in *"$1"*) kill "$2" "\${p#/proc/}" ;; esac
  done
}
exec 2>/dev/null
each "$1" -HUP; each "$1" -CONT; sleep 1; each "$1" -KILL; :`;
