// The ids of one session. An id is a random word that an answer gives first, as the value of a member such as `id` or
// `podId`; names that the client chose stay as they are.

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** A UUID or a random word, with a prefix as in `sync-...` or `chatcmpl-...`, and a suffix as in `...-u1`. */
const ID = new RegExp(`^(?:[a-z]+[-_])?(?:${UUID}|[A-Za-z0-9]{8,64})(?:-[a-z]\\d)?$`);
const FIRST_UUID = new RegExp(`(?:[a-z]+-)?${UUID}(?:-[a-z]\\d)?`, "g");
const WORDS = /[A-Za-z0-9]+(?:[-_]+[A-Za-z0-9]+)*/g;
const LONGEST = 128;

export class SessionIds {
  readonly #placeholders = new Map<string, string>();
  readonly #clients = new Set<string>();
  #ids = 0;
  #uuids = 0;

  /** A value that an answer calls an id. */
  offer(value: string): void {
    if (!looksRandom(value) || this.#placeholders.has(value) || this.#clients.has(value)) return;
    this.#placeholders.set(value, `{{id:${++this.#ids}}}`);
  }

  /** An id whose placeholder is known. */
  know(value: string, placeholder: string): void {
    this.#placeholders.set(value, placeholder);
  }

  /** Replaces ids in text. A UUID that a request brings first is the client's own. */
  replace(text: string, isRequest: boolean): string {
    return text.replace(WORDS, (words, at: number) =>
      // The name of a placeholder is no word of the client.
      text.startsWith("{{", at - 2) ? words : this.#replaceIn(words, isRequest),
    );
  }

  #replaceIn(words: string, isRequest: boolean): string {
    if (words.length > LONGEST) return words;
    const pieces = words.split(/([-_]+)/);
    let replaced = "";
    for (let at = 0; at < pieces.length; ) {
      const length = this.#longestIdAt(pieces, at);
      replaced += length === 0 ? pieces[at] : this.#placeholders.get(joined(pieces, at, length));
      at += Math.max(1, length);
    }
    if (isRequest && replaced === words) return this.#learn(words);
    return replaced;
  }

  /** The number of pieces of the longest id that begins at one; 0 if there is none. */
  #longestIdAt(pieces: string[], at: number): number {
    for (let length = pieces.length - at; length > 0; length--) {
      if (this.#placeholders.has(joined(pieces, at, length))) return length;
    }
    return 0;
  }

  #learn(words: string): string {
    const withUuids = words.replace(FIRST_UUID, (uuid) => {
      const placeholder = `{{uuid:${++this.#uuids}}}`;
      this.#placeholders.set(uuid, placeholder);
      return placeholder;
    });
    if (withUuids === words && ID.test(words)) this.#clients.add(words);
    return withUuids;
  }
}

const joined = (pieces: string[], at: number, length: number) =>
  pieces.slice(at, at + length).join("");

/** Words of a language without digits are shorter. */
function looksRandom(value: string): boolean {
  if (!ID.test(value)) return false;
  return /\d/.test(value) ? /[a-z]/i.test(value) : /^(?:[a-z]{14,}|[a-z]{10})$/.test(value);
}
