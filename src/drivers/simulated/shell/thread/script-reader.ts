// Collects the lines of a shell's input into scripts that are complete: a loop with its end, a text with its
// delimiter. Pure but for its own state.

const INCOMPLETE =
  /got EOF|unexpected EOF|unexpected end|syntax error near unexpected token `(?:fi|done|esac|\})'/;
/** A script up to this size is parsed again with each of its lines. */
const SMALL_CHARS = 4_096;
/** How much a larger one grows before it is parsed again, so that the work stays in proportion to its size. */
const GROWTH = 1.25;
export const MAX_SCRIPT_CHARS = 1_048_576;

export class ScriptReader {
  /** Throws what is wrong with a script. */
  readonly #parse: (script: string) => void;
  #lines: string[] = [];
  /** Whether each line needs the next one. */
  #needsNext: boolean[] = [];
  #chars = 0;
  /** The delimiters of texts that have not ended. */
  #delimiters: string[] = [];
  /** The lines and characters at the last parse. */
  #parsed = { lines: 0, chars: 0 };

  constructor(parse: (script: string) => void) {
    this.#parse = parse;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** More than a script may have, without an end. */
  get isTooLong(): boolean {
    return this.#chars > MAX_SCRIPT_CHARS;
  }

  /**
   * Adds a line. Returns the script that it completes, and lines behind it that belong to the next one; null if it
   * completes none. While more lines wait, a large script need not be complete at once.
   */
  add(line: string, moreLinesWait: boolean): { script: string; rest: string[] } | null {
    this.#lines.push(line);
    this.#chars += line.length + 1;
    const needsNext = this.#continues(line);
    this.#needsNext.push(needsNext);
    if (needsNext) return null;
    const isDue = this.#chars <= SMALL_CHARS || this.#chars >= this.#parsed.chars * GROWTH;
    if (!isDue && moreLinesWait) return null;
    const count = this.#lines.length;
    if (this.#isIncomplete(count)) {
      this.#parsed = { lines: count, chars: this.#chars };
      return null;
    }
    const end = this.#firstEnd(this.#parsed.lines, count);
    const rest = this.#lines.slice(end);
    return { script: this.#take(end), rest };
  }

  /** Everything, complete or not. */
  end(): string {
    return this.#take(this.#lines.length);
  }

  #take(count: number): string {
    const script = this.#script(count);
    this.#lines = [];
    this.#needsNext = [];
    this.#chars = 0;
    this.#delimiters = [];
    this.#parsed = { lines: 0, chars: 0 };
    return script;
  }

  /** Whether a line needs another one, as far as the line itself shows. */
  #continues(line: string): boolean {
    const [delimiter] = this.#delimiters;
    if (delimiter !== undefined) {
      if (line.replace(/^\t+/, "") === delimiter) this.#delimiters.shift();
    } else this.#delimiters.push(...delimitersOf(line));
    if (this.#delimiters.length > 0) return true;
    return delimiter === undefined && /(?:^|[^\\])(?:\\\\)*\\$|(?:\||&&)\s*$/.test(line);
  }

  #isIncomplete(count: number): boolean {
    if (this.#needsNext[count - 1]) return true;
    try {
      this.#parse(this.#script(count));
      return false;
    } catch (error) {
      return INCOMPLETE.test((error as Error).message);
    }
  }

  /** The number of lines of the shortest complete script, between one that is incomplete and one that is not. */
  #firstEnd(incomplete: number, complete: number): number {
    let [low, high] = [incomplete, complete];
    if (this.#chars <= SMALL_CHARS) return high;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#isIncomplete(middle)) low = middle;
      else high = middle;
    }
    return high;
  }

  #script(count: number): string {
    return this.#lines
      .slice(0, count)
      .map((line) => `${line}\n`)
      .join("");
  }
}

/** The delimiters of the here-documents that begin in a line; `<<` is a shift in arithmetic, and part of `<<<`. */
function delimitersOf(line: string): string[] {
  const code = line.replace(/\(\(.*?\)\)/g, "");
  return [...code.matchAll(/(?<!<)<<(?!<)-?\s*(["']?)([A-Za-z_][\w-]*)\1/g)].map(
    ([, , delimiter]) => delimiter!,
  );
}
