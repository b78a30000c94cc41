// Finds the word that somebody probably meant, for sentences that say what would be right.

/** The candidate most like `word`, or null where none is near enough to be worth naming. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = plain(word);
  if (wanted.length < 3) return null;
  let best: string | null = null;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const offered = plain(candidate);
    const within = offered.includes(wanted);
    const distance = within ? 1 : edits(wanted, offered, least);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

function plain(word: string): string {
  return word
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Levenshtein's distance, or `limit` where it is at least that. */
function edits(a: string, b: string, limit: number): number {
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
