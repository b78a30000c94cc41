// The most informative log line about an end: the last one that looks like an error, else the last
// one.

/** A Python, Node or Java error with its message, a Go or Rust panic, a shell error. */
const ERROR_LINE =
  /^(?:Uncaught |Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)(?: \[\w+\])?(?::|$)|^(?:fatal|panic|error)\b.*:|^thread '.*' panicked|: (?:command )?not found$|No such file|out of memory/i;

/** An engine's line for a file that is in the image: what runs it is not, or the start would have been refused. */
const MISSING_INTERPRETER = /^exec \/\S+: no such file or directory$/;
const INTERPRETER = "the program that runs this file, which its first line names, such as /bin/sh";

const LONGEST = 200;

export function logCause(lines: readonly string[]): string | null {
  const printed = lines.map(plain).filter((line) => line !== "");
  const cause = printed.findLast((line) => ERROR_LINE.test(line)) ?? printed.at(-1);
  if (cause === undefined) return null;
  if (MISSING_INTERPRETER.test(cause)) return `${cause}: the image lacks ${INTERPRETER}`;
  return cause.length > LONGEST ? `${cause.slice(0, LONGEST)}...` : cause;
}

/** Removes colors, and extracts the message of a line that the SDK wrote as JSON. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes begin with ESC
  const text = line.replace(/\u001b\[[0-9;]*m/g, "").trim();
  const message = (stringField(text, "message") ?? text).trim();
  const error = stringField(message, "error_message");
  if (error === null) return message;
  const type = stringField(message, "error_type");
  return type ? `${/^<class '(.*)'>$/.exec(type)?.[1] ?? type}: ${error}` : error;
}

/** A text in JSON by its name, also if the JSON is cut off. */
function stringField(json: string, name: string): string | null {
  if (!json.startsWith("{")) return null;
  const found = new RegExp(`"${name}": ?("(?:[^"\\\\]|\\\\.)*)`).exec(json);
  if (!found) return null;
  try {
    return JSON.parse(`${found[1]}"`) as string;
  } catch {
    return null;
  }
}
