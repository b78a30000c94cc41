// Words of a POSIX shell. Pure.

/** A word in single quotes, which keep everything but a single quote. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** In quotes only if a shell would read it otherwise. */
export const shellWord = (word: string): string =>
  /^[\w./:=@%+-]+$/.test(word) ? word : shellQuoted(word);
