// What Linux can execute: a longer program name or word fails, and some runtimes then never end their container.

import type { ContainerCommand } from "./docker-args.ts";

/** PATH_MAX, with the byte that ends it. */
const MAX_PROGRAM_BYTES = 4_096;
/** MAX_ARG_STRLEN, without the byte that ends it. */
export const MAX_WORD_BYTES = 131_071;
/** A quarter of the stack's 8 MB. All words and variables of a program share it, each with `WORD_OVERHEAD_BYTES`. */
export const MAX_TOTAL_BYTES = 2_097_152;
/** The byte that ends a word, and its pointer. */
const WORD_OVERHEAD_BYTES = 9;

/** A field of a request, and the words in it. */
type Words = readonly [field: string, words: readonly string[]];

/** A sentence for each field that makes the command too long. The first word of all fields is the program. */
export function commandLimitErrors(...fields: Words[]): string[] {
  const [program] = fields.flatMap(([, words]) => words);
  const isFirst = ([, words]: Words) => words.length > 0;
  const first = fields.find(isFirst);
  const errors = fields.flatMap((each) => {
    const [field, words] = each;
    let bytes = 0;
    for (const word of words) bytes = Math.max(bytes, Buffer.byteLength(word));
    const programBytes = each === first ? Buffer.byteLength(program!) : 0;
    if (programBytes > MAX_PROGRAM_BYTES) {
      return [
        `"${field}" begins with a word of ${programBytes} bytes; the name of a program has at most ${MAX_PROGRAM_BYTES}.`,
      ];
    }
    if (bytes <= MAX_WORD_BYTES) return [];
    return [`"${field}" has a word of ${bytes} bytes; a word has at most ${MAX_WORD_BYTES}.`];
  });
  return errors.length > 0 ? errors : totalErrors(fields);
}

function totalErrors(fields: Words[]): string[] {
  let bytes = 0;
  for (const [, words] of fields) bytes += totalBytes(words);
  if (bytes <= MAX_TOTAL_BYTES) return [];
  const names = fields.map(([field]) => `"${field}"`).join(" and ");
  const have = fields.length > 1 ? "together have" : "has";
  return [
    `${names} ${have} ${bytes} bytes, with ${WORD_OVERHEAD_BYTES} more for each word; a command has at most ${MAX_TOTAL_BYTES}.`,
  ];
}

/** What words, or variables with their names, take of `MAX_TOTAL_BYTES`. */
export function totalBytes(words: readonly string[]): number {
  let bytes = 0;
  for (const word of words) bytes += Buffer.byteLength(word) + WORD_OVERHEAD_BYTES;
  return bytes;
}

export function containerCommandErrors({
  dockerEntrypoint,
  dockerStartCmd,
}: ContainerCommand): string[] {
  return commandLimitErrors(
    ["dockerEntrypoint", dockerEntrypoint],
    ["dockerStartCmd", dockerStartCmd],
  );
}
