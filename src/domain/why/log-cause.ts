// The line of a log that says most about an end: the last one that looks like an error's own, else
// simply the last.

/** A Python, Node or Java error with its message, a panic of Go or Rust, a shell's complaint. */
const TELLING =
  /^(?:Uncaught |Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)(?: \[\w+\])?(?::|$)|^(?:fatal|panic|error)\b.*:|^thread '.*' panicked|: (?:command )?not found$|No such file|out of memory/i;

const LONGEST = 200;

export function logCause(lines: readonly string[]): string | null {
  const said = lines.map(plain).filter((line) => line !== "");
  const cause = said.findLast((line) => TELLING.test(line)) ?? said.at(-1);
  if (cause === undefined) return null;
  return cause.length > LONGEST ? `${cause.slice(0, LONGEST)}...` : cause;
}

/** Without colours; a line that the SDK wrote as JSON is its message. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const text = line.replace(/\u001b\[[0-9;]*m/g, "").trim();
  return message(text)?.trim() ?? text;
}

function message(text: string): string | null {
  if (!text.startsWith("{")) return null;
  try {
    const value = JSON.parse(text) as { message?: unknown };
    return typeof value.message === "string" ? value.message : null;
  } catch {
    return null;
  }
}
