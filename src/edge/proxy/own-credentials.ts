// What opens our own interfaces, and so is never handed to a Pod, nor set by one. Pure.

/** How the names of all our cookies begin, behind the prefixes that browsers give a meaning. */
export const OUR_COOKIES = "freehold_";

const OURS = new RegExp(`^(?:__host-|__secure-)?${OUR_COOKIES}`, "i");
const KEY = /\bfh[a-z]{0,3}_[A-Za-z0-9]{40}\b/;

/** A name, or a cookie that has none: its value is then read as both. */
export function isOurCookie(pair: string): boolean {
  const [name = "", ...value] = pair.trim().split("=");
  return OURS.test(name.trim()) || (name.trim() === "" && OURS.test(value.join("=").trim()));
}

export class OwnKeys {
  readonly #chosen: string | null;

  /** `chosen` is a key that the operator thought of himself, if he did. */
  constructor(chosen: string | null) {
    this.#chosen = chosen;
  }

  /** Whether a text holds one of our keys. */
  in(text: string): boolean {
    return KEY.test(text) || (this.#chosen !== null && text.includes(this.#chosen));
  }

  /** The same for an Authorization header, which may hide it. */
  inAuthorization(header: string): boolean {
    if (this.in(header)) return true;
    const basic = /^basic\s+(\S+)$/i.exec(header);
    return basic !== null && this.in(Buffer.from(basic[1]!, "base64").toString("latin1"));
  }

  /** An address without parameters `api_key` that hold one of our keys. */
  withoutIn(url: string): string {
    const question = url.indexOf("?");
    if (question === -1) return url;
    const parts = url.slice(question + 1).split("&");
    const kept = parts.filter((part) => !this.#isKey(part));
    if (kept.length === parts.length) return url;
    return `${url.slice(0, question)}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
  }

  #isKey(part: string): boolean {
    const equals = part.indexOf("=");
    if (equals === -1) return false;
    const name = decoded(part.slice(0, equals));
    return name === "api_key" && this.in(decoded(part.slice(equals + 1)));
  }
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
