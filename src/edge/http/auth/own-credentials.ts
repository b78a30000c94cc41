// Freehold's own credentials, which are never passed to a Pod or set by one. Pure.

/** The prefix of Freehold's cookie names, after browser prefixes such as __Host-. */
export const COOKIE_PREFIX = "freehold_";

const OWN_COOKIE = new RegExp(`^(?:__host-|__secure-)?${COOKIE_PREFIX}`, "i");
const KEY = /\bfh[a-z]{0,3}_[A-Za-z0-9]{40}\b/;

/** Matches by name. A cookie without a name is matched by its value. */
export function isOwnCookie(pair: string): boolean {
  const [name = "", ...value] = pair.trim().split("=");
  return (
    OWN_COOKIE.test(name.trim()) || (name.trim() === "" && OWN_COOKIE.test(value.join("=").trim()))
  );
}

export class OwnKeys {
  readonly #chosen: string | null;

  /** `chosen` is a configured key, which need not have the form of a generated one. */
  constructor(chosen: string | null) {
    this.#chosen = chosen;
  }

  /** Whether a text contains one of Freehold's keys. */
  in(text: string): boolean {
    return KEY.test(text) || (this.#chosen !== null && text.includes(this.#chosen));
  }

  /** Whether an Authorization header contains a key, also base64-encoded. */
  inAuthorization(header: string): boolean {
    if (this.in(header)) return true;
    const basic = /^basic\s+(\S+)$/i.exec(header);
    return basic !== null && this.in(Buffer.from(basic[1]!, "base64").toString("latin1"));
  }

  /** The URL without `api_key` parameters that contain one of Freehold's keys. */
  stripKeys(url: string): string {
    const question = url.indexOf("?");
    if (question === -1) return url;
    const parts = url.slice(question + 1).split("&");
    const rest = parts.filter((part) => !this.#isKey(part));
    if (rest.length === parts.length) return url;
    return `${url.slice(0, question)}${rest.length > 0 ? `?${rest.join("&")}` : ""}`;
  }

  #isKey(part: string): boolean {
    const equals = part.indexOf("=");
    if (equals === -1) return false;
    const name = decode(part.slice(0, equals));
    return name === "api_key" && this.in(decode(part.slice(equals + 1)));
  }
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
