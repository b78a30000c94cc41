// A merge of two logs by time. Pure.

interface Timed {
  at: number | null;
}

/**
 * Both logs are ordered. A line without a time follows the previous line of its own log, or the
 * whole other log if it is the first.
 */
export function mergeByTime<A extends Timed, B extends Timed>(first: A[], second: B[]): (A | B)[] {
  const merged: (A | B)[] = [];
  let [a, b, lastAt] = [0, 0, Number.POSITIVE_INFINITY];
  while (a < first.length && b < second.length) {
    const at = first[a]!.at ?? lastAt;
    if (at <= (second[b]!.at ?? at)) {
      merged.push(first[a++]!);
      lastAt = at;
    } else {
      merged.push(second[b++]!);
    }
  }
  return [...merged, ...first.slice(a), ...second.slice(b)];
}
