// What a cassette must not hold: keys, passwords and tokens, found by the name of a member and by their form.

/** The last word of a name such as hfToken, HF_TOKEN, PGPASSWORD or client-secret. */
const SECRET_WORDS =
  /(?:token|secret|passwd|password|passphrase|credentials?|authorization|signature|cookie|^pat|^pass|^sig)$/;
/** The name of a variable by convention, which says more than that of a member. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
const VARIABLE_WORDS = /^(?:token|secret|password|passwd|pat|dsn|key|apikey)$/;
/** Keys that are none: `PUBLIC_KEY`, and `KEY` alone. */
const OPEN_KEYS = /^(?:public|primary|foreign|sort|cache|)$/;
/** The word before "key". */
const KEY_WORDS = /^(?:api|access|private|secret|auth|signing|encryption|master)$/;
/** Tokens that say where a list continues. */
const PAGE_WORDS = /^(?:next|page|continuation)$/;

/** Forms of the keys of well-known services. */
const FORMS =
  /\b(?:(?:fh[a-z]?_|rpa_|hf_|gh[opsu]_|github_pat_|glpat-|sk-|sk_|rk_|xox[abp]-|whsec_|npm_|pypi-|dckr_pat_)[A-Za-z0-9_/+=-]{16,}|AKIA[A-Z0-9]{16}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;

/** A literal of a GraphQL document: `{ key: "HF_TOKEN", value: "..." }`, `password: "..."`. */
const PAIR = /(\bkey:\s*"([^"]*)"\s*,?\s*value:\s*")((?:[^"\\]|\\.)*)"/g;
const MEMBER = /(\b(\w+):\s*")((?:[^"\\]|\\.)*)"/g;

/** URLs with a password: `https://user:password@host`. */
const IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/"]*:)[^\s@/"]+@/gi;

export const SECRET = "{{secret}}";

export function isSecretName(name: string): boolean {
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z0-9]+/g)?.map((word) => word.toLowerCase()) ?? [];
  while (words.length > 1 && /^\d+$/.test(words.at(-1)!)) words.pop();
  const [before = "", last = ""] = words.length > 1 ? words.slice(-2) : ["", ...words];
  if (VARIABLE.test(name) && words.some((word, n) => isSecretWord(word, words[n - 1] ?? "")))
    return true;
  if (last === "key" || last === "apikey") return last === "apikey" || KEY_WORDS.test(before);
  return SECRET_WORDS.test(last) && !PAGE_WORDS.test(before);
}

const isSecretWord = (word: string, before: string) =>
  VARIABLE_WORDS.test(word) && !(word.endsWith("key") && OPEN_KEYS.test(before));

/** The parameters of a URL's query or fragment. */
const PARAMETER = /([?&#;])([\w.-]+)=([^&#;\s"'<>]+)/g;
/** A credential in the form of a header, wherever it is written. */
const BEARER = /\b(bearer\s+)(?!\{\{)[^\s"'\\,;]{6,}/gi;

export function scrubText(text: string): string {
  return text
    .replace(FORMS, SECRET)
    .replace(IN_URL, `$1${SECRET}@`)
    .replace(PARAMETER, (whole, mark, name) =>
      isSecretName(name) ? `${mark}${name}=${SECRET}` : whole,
    )
    .replace(BEARER, `$1${SECRET}`);
}

/** Names of members whose URL is a credential: who knows it can send. */
export const isWebhookName = (name: string) => /^webhook(?:_?url)?$/i.test(name);

/** Keeps the receiver's host. A receiver on this machine is part of the test. */
export function scrubWebhook(text: string): string {
  const url = URL.parse(text);
  if (!url || /^(?:localhost|127\.|\[::1\])/.test(url.hostname)) return text;
  const hasPath = url.pathname !== "/" || url.search !== "";
  return hasPath ? `${url.origin}/${SECRET}` : text;
}

/** `isVault` says that the document creates or changes secrets. */
export function scrubDocument(document: string, isVault: boolean): string {
  return document
    .replace(PAIR, (whole, before, name) => (isSecretName(name) ? `${before}${SECRET}"` : whole))
    .replace(MEMBER, (whole, before, name, value) => {
      if (isSecretName(name) || (isVault && name === "value")) return `${before}${SECRET}"`;
      return isWebhookName(name) ? `${before}${scrubWebhook(value)}"` : whole;
    });
}

/** An entry of a list of variables, whose name is beside its value. */
export function scrubEntry(entry: Record<string, unknown>): Record<string, unknown> | null {
  const name = entry.key ?? entry.name;
  if (typeof name !== "string" || typeof entry.value !== "string" || !isSecretName(name))
    return null;
  return { ...entry, value: SECRET };
}
