// What a cassette must not hold: keys, passwords and tokens, found by the name of a member and by their form.

/** The last word of a name such as hfToken, HF_TOKEN or client-secret. */
const SECRET_WORDS =
  /^(?:token|secret|passwd|password|passphrase|credentials?|authorization|signature|cookie)$/;
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
  const [before = "", last = ""] = words.length > 1 ? words.slice(-2) : ["", ...words];
  if (last === "key" || last === "apikey") return last === "apikey" || KEY_WORDS.test(before);
  return SECRET_WORDS.test(last) && !PAGE_WORDS.test(before);
}

export function scrubText(text: string): string {
  return text.replace(FORMS, SECRET).replace(IN_URL, `$1${SECRET}@`);
}

/** `isVault` says that the document creates or changes secrets. */
export function scrubDocument(document: string, isVault: boolean): string {
  return document
    .replace(PAIR, (whole, before, name) => (isSecretName(name) ? `${before}${SECRET}"` : whole))
    .replace(MEMBER, (whole, before, name) =>
      isSecretName(name) || (isVault && name === "value") ? `${before}${SECRET}"` : whole,
    );
}

/** An entry of a list of variables, whose name is beside its value. */
export function scrubEntry(entry: Record<string, unknown>): Record<string, unknown> | null {
  const name = entry.key ?? entry.name;
  if (typeof name !== "string" || typeof entry.value !== "string" || !isSecretName(name))
    return null;
  return { ...entry, value: SECRET };
}
