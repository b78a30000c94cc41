// Lines of two logs in the order in which they were written. Pure.

interface Timed {
  at: number | null;
}

/**
 * Both are in order. A line of which nobody knows the time stays behind the one before it in its log,
 * or behind all of the other log where there is none.
 */
export function mergeByTime<A extends Timed, B extends Timed>(first: A[], second: B[]): (A | B)[] {
  const merged: (A | B)[] = [];
  let [a, b, seen] = [0, 0, Number.POSITIVE_INFINITY];
  while (a < first.length && b < second.length) {
    const at = first[a]!.at ?? seen;
    if (at <= (second[b]!.at ?? at)) {
      merged.push(first[a++]!);
      seen = at;
    } else {
      merged.push(second[b++]!);
    }
  }
  return [...merged, ...first.slice(a), ...second.slice(b)];
}
