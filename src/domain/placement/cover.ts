// The smallest set of spot Pods whose resources cover a shortage; of equally small sets, the one
// with the earliest Pods. Pure.

const KINDS = ["gpus", "vcpus", "memoryMb", "diskGb"] as const;
export type Amounts = Readonly<Record<(typeof KINDS)[number], number>>;

/**
 * A limit on the search; beyond it, any sufficient set is accepted, even if a smaller one exists.
 */
const MAX_STEPS = 20_000;

/** An amount of each resource; an omitted or negative one counts as 0. */
export function amountsOf(some: Partial<Amounts>): Amounts {
  const of = (kind: keyof Amounts) => Math.max(0, some[kind] ?? 0);
  return { gpus: of("gpus"), vcpus: of("vcpus"), memoryMb: of("memoryMb"), diskGb: of("diskGb") };
}

/** What a Pod frees: several that hold shares of one GPU free it once. */
export interface Supply extends Omit<Amounts, "gpus"> {
  gpus: readonly number[];
}

/** Returns the indices in `supplies`, ascending; null if all supplies together are not enough. */
export function coverShortage(shortage: Amounts, supplies: readonly Supply[]): number[] | null {
  const all = supplies.map((_, n) => n);
  if (!enough(shortage, all, supplies)) return null;
  const largest = largestFrom(supplies);
  const counted = new Set<number>();
  let steps = 0;
  const search = (left: Amounts, from: number, count: number): number[] | null => {
    if (isNothing(left)) return [];
    if (count === 0 || from === supplies.length || steps++ > MAX_STEPS) return null;
    if (KINDS.some((kind) => left[kind] > count * largest[from]![kind])) return null;
    const added = addGpus(counted, supplies[from]!);
    const taken = search(minus(left, supplies[from]!, added.length), from + 1, count - 1);
    if (taken) return [from, ...taken];
    for (const gpu of added) counted.delete(gpu);
    return search(left, from + 1, count);
  };
  for (let count = 0; count <= supplies.length && steps <= MAX_STEPS; count++) {
    const found = search(shortage, 0, count);
    if (found) return found;
  }
  return withoutNeedless(shortage, all, supplies);
}

/** Counts the GPUs of a supply; returns those that were not counted before. One set for all: a copy for each supply is slow. */
function addGpus(counted: Set<number>, { gpus }: Supply): number[] {
  return gpus.filter((gpu) => !counted.has(gpu) && counted.add(gpu));
}

/** For each index, the largest supply of each resource from that index on. */
function largestFrom(supplies: readonly Supply[]): Amounts[] {
  const largest: Amounts[] = [];
  for (let n = supplies.length - 1; n >= 0; n--) {
    const { gpus, ...others } = supplies[n]!;
    const [own, later] = [{ ...others, gpus: gpus.length }, largest[n + 1] ?? amountsOf({})];
    const of = (kind: keyof Amounts) => Math.max(own[kind], later[kind]);
    largest[n] = amountsOf(Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])));
  }
  return largest;
}

/** Drops supplies that are not needed, the last ones first. */
function withoutNeedless(shortage: Amounts, all: number[], supplies: readonly Supply[]): number[] {
  let subset = all;
  for (const n of all.toReversed()) {
    const fewer = subset.filter((each) => each !== n);
    if (enough(shortage, fewer, supplies)) subset = fewer;
  }
  return subset;
}

function enough(shortage: Amounts, some: number[], supplies: readonly Supply[]): boolean {
  const counted = new Set<number>();
  const left = some.reduce(
    (before, n) => minus(before, supplies[n]!, addGpus(counted, supplies[n]!).length),
    shortage,
  );
  return isNothing(left);
}

const isNothing = (shortage: Amounts) => KINDS.every((kind) => shortage[kind] <= 0);

/** `gpus` is how many of the GPUs of the supply are not counted yet. */
const minus = (left: Amounts, supply: Supply, gpus: number): Amounts => ({
  gpus: left.gpus - gpus,
  vcpus: left.vcpus - supply.vcpus,
  memoryMb: left.memoryMb - supply.memoryMb,
  diskGb: left.diskGb - supply.diskGb,
});
