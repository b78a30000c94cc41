// The order of keys: by their UTF-8 bytes. JavaScript compares UTF-16 units, which differs only if
// characters beyond the basic plane are compared with the last ones within it.

const HAS_SURROGATE = /[\ud800-\udfff]/;

export function compareKeys(a: string, b: string): number {
  if (HAS_SURROGATE.test(a) || HAS_SURROGATE.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts in place. */
export function sortKeys(keys: string[]): string[] {
  return keys.some((key) => HAS_SURROGATE.test(key)) ? keys.sort(compareKeys) : keys.sort();
}
