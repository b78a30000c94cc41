// The nearest valid word to a misspelled one, for error messages that suggest it.

/** The candidate most similar to `word`, or null if none is similar enough. */
export function nearestWord(word: string, candidates: Iterable<string>): string | null {
  const normalized = normalize(word);
  if (normalized.length < 3) return null;
  let best: string | null = null;
  let least = Math.max(2, Math.floor(normalized.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = normalize(candidate);
    const isSubstring = other.includes(normalized);
    const distance = isSubstring ? 1 : editDistance(normalized, other, least);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

function normalize(word: string): string {
  return word
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** The Levenshtein distance, or `limit` if it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return Math.min(limit, row[b.length]!);
}
