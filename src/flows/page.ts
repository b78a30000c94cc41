// Pages of a list, newest first. A position is the key of an item, so a page costs the same wherever it is.

/** The place of an item in a list. */
export interface PagePosition {
  createdAt: number;
  id: string;
}

export interface Page<Item> {
  items: Item[];
  /** The position of the last item, if more items follow. */
  next: PagePosition | null;
}

export interface PageRequest {
  /** The position that the page begins after; null for the first page. */
  after: PagePosition | null;
  limit: number;
}

/** The position before the newest item. */
export const BEFORE_ALL: PagePosition = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

/** Makes a page of the items that a query returned; it must ask for one more than `limit`. */
export function pageOf<Item extends PagePosition>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last ? { createdAt: last.createdAt, id: last.id } : null };
}
