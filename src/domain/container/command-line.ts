// Command lines, split by the rules of google/shlex, with which Runpod reads them: quotes, backslashes and
// comments as in a POSIX shell, and nothing else of a shell. Inside double quotes a backslash escapes any character.

/** A comment, or the next part of a word: a quoted text, an escaped character or plain ones. */
const PART = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|'([^']*)'|\\([\s\S])|([^ \t\r\n"'\\]+)/y;
const SPACE = /[ \t\r\n]+/y;
const COMMENT = /#[^\n]*/y;

/** A line whose quotes do not close, or that ends with a backslash, is split at white space alone. */
export function splitCommandLine(line: string): string[] {
  return shellWords(line) ?? line.split(/\s+/).filter((word) => word !== "");
}

function shellWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let position = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const result = pattern.exec(line);
    if (result) position = pattern.lastIndex;
    return result;
  };
  while (position < line.length) {
    if (match(SPACE)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (word !== null || !match(COMMENT)) {
      const part = match(PART);
      if (!part) return null;
      const [, inDouble, inSingle, escaped, plain] = part;
      const text = inDouble?.replace(/\\([\s\S])/g, "$1") ?? inSingle ?? escaped ?? plain;
      word = `${word ?? ""}${text}`;
    }
  }
  return word === null ? words : [...words, word];
}

/** The line that splitCommandLine splits into these words. */
export function joinCommandLine(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  if (word !== "" && !/[ \t\r\n"'\\]|^[#{]/.test(word)) return word;
  if (!/["\\]/.test(word)) return `"${word}"`;
  if (!word.includes("'")) return `'${word}'`;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}
