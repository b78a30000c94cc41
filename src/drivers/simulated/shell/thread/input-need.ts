// Whether a script reads its standard input. The interpreter takes all input at once, before it begins; a script that
// reads none must not wait for a client that never ends it. Pure.

/** Programs that read it unless they have more operands than this. */
const READERS = new Map<string, number>([
  ...["cat", "head", "tail", "wc", "sort", "uniq", "nl", "rev", "tac", "od", "fold"].map(
    (name) => [name, 0] as const,
  ),
  ...["cut", "paste", "expand", "unexpand", "strings", "column", "gzip", "gunzip"].map(
    (name) => [name, 0] as const,
  ),
  ...["base64", "md5sum", "sha1sum", "sha256sum"].map((name) => [name, 0] as const),
  ...["grep", "egrep", "fgrep", "sed", "awk", "jq"].map((name) => [name, 1] as const),
  ...["read", "mapfile", "readarray", "tee", "xargs", "tr", "bash", "sh"].map(
    (name) => [name, Number.POSITIVE_INFINITY] as const,
  ),
]);
/** Arguments with which a reader needs no input. */
const NEEDS_NONE: Record<string, RegExp> = {
  awk: /(?:^|\s)["']?BEGIN/,
  grep: /(?:^|\s)-[a-zA-Z]*[rR]/,
  jq: /(?:^|\s)(?:-[a-zA-Z]*n|--null-input)/,
};
const KEYWORDS = new Set([
  "if",
  "then",
  "else",
  "elif",
  "while",
  "until",
  "do",
  "!",
  "time",
  "{",
  "exec",
  "command",
]);

export function readsInput(script: string): boolean {
  // The first command of each pipeline: the later ones read what it prints.
  const firsts = script.split(/\|\||&&|[;\n()`{}]/).map((part) => part.split("|")[0]!);
  return firsts.some(partReads);
}

function partReads(part: string): boolean {
  if (/<(?!\()/.test(part)) return false;
  const words = part
    .replace(/[12&]?>{1,2}\s*\S+/g, " ")
    .trim()
    .split(/\s+/);
  while (words.length > 0 && (KEYWORDS.has(words[0]!) || /^\w+=/.test(words[0]!))) words.shift();
  const [name = "", ...args] = words;
  const maximum = READERS.get(name.replace(/^.*\//, ""));
  if (maximum === undefined) return false;
  if (args.includes("-c") && /sh$/.test(name))
    return readsInput(args.slice(1).join(" ").replace(/["']/g, ";"));
  if (args.includes("-")) return true;
  if (NEEDS_NONE[name]?.test(args.join(" "))) return false;
  const takesValue = name === "tail" ? /^-[nc]$/ : /^-[ncdfkt]$/;
  const operands = args.filter(
    (arg, at) => !arg.startsWith("-") && !takesValue.test(args[at - 1] ?? ""),
  );
  if (/sh$/.test(name)) return operands.length === 0;
  return operands.length <= maximum;
}
