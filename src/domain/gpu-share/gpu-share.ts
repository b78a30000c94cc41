// Shares of a GPU: several workloads use one card by turns, each with a part of its memory that is declared. Pure.

/** How the operator divides a GPU. */
export interface ShareLayout {
  count: number;
  memoryInGb: number;
  /** True if NVIDIA's MPS limits the memory of each; absent for shares whose memory is declared alone. */
  mps?: true;
}

/** The part of a GPU's multiprocessors that the programs of a share may use, in percent. */
export const computePercent = ({ count }: Pick<ShareLayout, "count">): number =>
  Math.max(1, Math.floor(100 / count));

/** The GPUs that are offered as shares, by UUID. */
export type SharedGpus = Readonly<Record<string, ShareLayout>>;

/** Beyond the numbers of whole and of simulated GPUs, and of the MIG devices of a cluster. */
const FIRST = 100_000_000;
/** More than a GPU may have. */
const PER_GPU = 100;

/** The numbers by which placement assigns the shares of a GPU. */
export function shareNumbers(whole: number, { count }: ShareLayout): number[] {
  return Array.from({ length: count }, (_, n) => FIRST + whole * PER_GPU + n);
}

export const isShareNumber = (index: number): boolean => index >= FIRST;

/** The number of the GPU that this is a share of; that of a whole GPU is its own. */
export const wholeNumber = (index: number): number =>
  isShareNumber(index) ? Math.floor((index - FIRST) / PER_GPU) : index;

/** The GPUs among these of one type that one workload may have together: of the shares of a card it gets one. */
export function onDifferentGpus(indices: readonly number[]): readonly number[] {
  if (!isShareNumber(indices[0] ?? 0)) return indices;
  const wholes = new Set<number>();
  return indices.filter((index) => {
    const whole = wholeNumber(index);
    return !wholes.has(whole) && wholes.add(whole);
  });
}

/**
 * The shares of GPUs with the fewest workloads first, as if each was taken in turn, so that the first few of them are on as many
 * GPUs as possible; the order of other GPUs stays.
 */
export function byLoad(indices: number[], taken: ReadonlySet<number>): number[] {
  if (!isShareNumber(indices[0] ?? 0)) return indices;
  const loads = new Map<number, number>();
  const loadBefore = (index: number) => {
    const load = loads.get(wholeNumber(index)) ?? 0;
    loads.set(wholeNumber(index), load + 1);
    return load;
  };
  for (const index of taken) if (isShareNumber(index)) loadBefore(index);
  const rank = new Map(indices.map((index) => [index, loadBefore(index)]));
  return indices.toSorted((a, b) => rank.get(a)! - rank.get(b)!);
}
