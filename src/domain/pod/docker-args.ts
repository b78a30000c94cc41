// A command in one line, as some clients send it, in words: parted by blanks, kept together by quotes.

const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

export function commandOf(line: string): string[] {
  const words = line.match(WORD) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
