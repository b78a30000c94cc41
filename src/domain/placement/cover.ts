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
  let steps = 0;
  const search = (
    left: Amounts,
    counted: Counted,
    from: number,
    count: number,
  ): number[] | null => {
    if (isNothing(left)) return [];
    if (count === 0 || from === supplies.length || steps++ > MAX_STEPS) return null;
    if (KINDS.some((kind) => left[kind] > count * largest[from]![kind])) return null;
    const after = minus(left, counted, supplies[from]!);
    const taken = search(after.left, after.counted, from + 1, count - 1);
    return taken ? [from, ...taken] : search(left, counted, from + 1, count);
  };
  for (let count = 0; count <= supplies.length && steps <= MAX_STEPS; count++) {
    const found = search(shortage, NOTHING, 0, count);
    if (found) return found;
  }
  return withoutNeedless(shortage, all, supplies);
}

/** The GPUs that are counted. */
type Counted = ReadonlySet<number>;

const NOTHING: Counted = new Set();

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
  let state = { left: shortage, counted: NOTHING };
  for (const n of some) state = minus(state.left, state.counted, supplies[n]!);
  return isNothing(state.left);
}

const isNothing = (shortage: Amounts) => KINDS.every((kind) => shortage[kind] <= 0);

function minus(left: Amounts, before: Counted, { gpus, vcpus, memoryMb, diskGb }: Supply) {
  const counted = gpus.length === 0 ? before : new Set([...before, ...gpus]);
  return {
    counted,
    left: {
      gpus: left.gpus - (counted.size - before.size),
      vcpus: left.vcpus - vcpus,
      memoryMb: left.memoryMb - memoryMb,
      diskGb: left.diskGb - diskGb,
    },
  };
}
