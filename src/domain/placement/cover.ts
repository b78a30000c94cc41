// The fewest of several givers that together give what is lacking; among as many, those that come
// first. Pure.

const KINDS = ["gpus", "vcpus", "memoryMb", "diskGb"] as const;
export type Lack = Readonly<Record<(typeof KINDS)[number], number>>;

/** Beyond so many looks a set that will do is enough, though a smaller one may be there. */
const MOST_LOOKS = 20_000;

/** What is not named is not lacking, and what is there in plenty neither. */
export function need(some: Partial<Lack>): Lack {
  const of = (kind: keyof Lack) => Math.max(0, some[kind] ?? 0);
  return { gpus: of("gpus"), vcpus: of("vcpus"), memoryMb: of("memoryMb"), diskGb: of("diskGb") };
}

/** Their indices in `gives`, rising; null where all of them together do not give enough. */
export function covers(lack: Lack, gives: readonly Lack[]): number[] | null {
  const all = gives.map((_, n) => n);
  if (!enough(lack, all, gives)) return null;
  const most = mostFrom(gives);
  let looks = 0;
  const search = (left: Lack, from: number, count: number): number[] | null => {
    if (isNothing(left)) return [];
    if (count === 0 || from === gives.length || looks++ > MOST_LOOKS) return null;
    if (KINDS.some((kind) => left[kind] > count * most[from]![kind])) return null;
    const taken = search(minus(left, gives[from]!), from + 1, count - 1);
    return taken ? [from, ...taken] : search(left, from + 1, count);
  };
  for (let count = 0; count <= gives.length && looks <= MOST_LOOKS; count++) {
    const found = search(lack, 0, count);
    if (found) return found;
  }
  return withoutNeedless(lack, all, gives);
}

/** What no giver from an index on gives more of. */
function mostFrom(gives: readonly Lack[]): Lack[] {
  const most: Lack[] = [];
  for (let n = gives.length - 1; n >= 0; n--) {
    const [own, later] = [gives[n]!, most[n + 1] ?? need({})];
    const of = (kind: keyof Lack) => Math.max(own[kind], later[kind]);
    most[n] = need(Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])));
  }
  return most;
}

/** Lets the last ones off first. */
function withoutNeedless(lack: Lack, all: number[], gives: readonly Lack[]): number[] {
  let kept = all;
  for (const n of all.toReversed()) {
    const fewer = kept.filter((each) => each !== n);
    if (enough(lack, fewer, gives)) kept = fewer;
  }
  return kept;
}

const enough = (lack: Lack, some: number[], gives: readonly Lack[]) =>
  isNothing(some.reduce((left, n) => minus(left, gives[n]!), lack));

const isNothing = (lack: Lack) => KINDS.every((kind) => lack[kind] <= 0);

const minus = (lack: Lack, give: Lack): Lack => ({
  gpus: lack.gpus - give.gpus,
  vcpus: lack.vcpus - give.vcpus,
  memoryMb: lack.memoryMb - give.memoryMb,
  diskGb: lack.diskGb - give.diskGb,
});
