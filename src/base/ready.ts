// Values that are usually there at once, such as those of a cache. Waiting for a promise in each step costs a small
// request more than its own work.

export type Ready<T> = T | Promise<T>;

/** Continues with a value: at once if it is there, and otherwise when it comes. */
export function whenReady<T, Result>(
  value: Ready<T>,
  next: (value: T) => Ready<Result>,
): Ready<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
