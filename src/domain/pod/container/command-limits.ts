// What Linux can execute: a longer program name or word fails, and some runtimes then never end their container.

import type { Command } from "./docker-args.ts";

/** PATH_MAX, with the byte that ends it. */
const MAX_PROGRAM_BYTES = 4_096;
/** MAX_ARG_STRLEN, without the byte that ends it. */
export const MAX_WORD_BYTES = 131_071;

/** A field of a request, and the words in it. */
type Words = readonly [field: string, words: readonly string[]];

/** A sentence for each field that makes the command too long. The first word of all fields is the program. */
export function commandLimitErrors(...fields: Words[]): string[] {
  const [program] = fields.flatMap(([, words]) => words);
  const isFirst = ([, words]: Words) => words.length > 0;
  const first = fields.find(isFirst);
  return fields.flatMap((each) => {
    const [field, words] = each;
    const bytes = Math.max(0, ...words.map((word) => Buffer.byteLength(word)));
    const programBytes = each === first ? Buffer.byteLength(program!) : 0;
    if (programBytes > MAX_PROGRAM_BYTES) {
      return [
        `"${field}" begins with a word of ${programBytes} bytes; the name of a program has at most ${MAX_PROGRAM_BYTES}.`,
      ];
    }
    if (bytes <= MAX_WORD_BYTES) return [];
    return [`"${field}" has a word of ${bytes} bytes; a word has at most ${MAX_WORD_BYTES}.`];
  });
}

export function containerCommandErrors({ dockerEntrypoint, dockerStartCmd }: Command): string[] {
  return commandLimitErrors(
    ["dockerEntrypoint", dockerEntrypoint],
    ["dockerStartCmd", dockerStartCmd],
  );
}
