// Which cached models to remove so that another one fits. Pure.

/** A complete model on a machine: one commit of one repository. */
export interface CachedModel {
  /** owner/name */
  model: string;
  commit: string;
  bytes: number;
  /** When a worker last needed it. */
  usedAt: number;
}

export const modelKey = ({ model, commit }: Pick<CachedModel, "model" | "commit">) =>
  `${model}@${commit}`;

export interface Space {
  limitBytes: number;
  /** Bytes of the downloads under way and of the new model. */
  neededBytes: number;
}

/**
 * The least recently used models without which the rest fits; null if it does not fit without all
 * that are not pinned.
 */
export function modelsToEvict<Model extends CachedModel>(
  cached: readonly Model[],
  pinned: ReadonlySet<string>,
  { limitBytes, neededBytes }: Space,
): Model[] | null {
  let excess = neededBytes - limitBytes + cached.reduce((sum, { bytes }) => sum + bytes, 0);
  const evicted: Model[] = [];
  const unpinned = cached.filter((each) => !pinned.has(modelKey(each)));
  for (const each of unpinned.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (excess <= 0) break;
    evicted.push(each);
    excess -= each.bytes;
  }
  return excess <= 0 ? evicted : null;
}
