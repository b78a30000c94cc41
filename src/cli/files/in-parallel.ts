// Runs an action on each item, several at a time. The first failure starts no more of them.

export async function inParallel<Item>(
  limit: number,
  items: Iterable<Item>,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  const work = async () => {
    for (let next = waiting.next(); !next.done && !failure; next = waiting.next()) {
      await action(next.value).catch((error) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failure) throw (failure as { error: unknown }).error;
}
