// Texts in the shell's notation. File names are strings of bytes ("latin1"), as Linux has them; a script is ASCII.

import { shellQuoted } from "../../../base/text/shell-quote.ts";

/** One word of a script, for any bytes but NUL. */
export function quote(bytes: string): string {
  const parts = bytes.match(/[\x80-\xff]+|[^\x80-\xff]+/g) ?? [""];
  return parts
    .map((part) => (part < "\x80" ? shellQuoted(part) : `"$(${printBytes(part)})"`))
    .join("");
}

/** A command that prints bytes; a "-" at their begin would be an option. */
export const printBytes = (bytes: string) =>
  `printf '${bytes.replace(/[^ -$&(-,.-[\]-~]/g, (byte) => `\\${octal(byte.charCodeAt(0))}`)}'`;

const octal = (code: number) => code.toString(8).padStart(3, "0");
