// The API key in the link that `npm start` prints. It is behind the "#", which browsers do not send. The key
// is removed from the address at once and stays in memory until it is used.

let pendingKey: string | null = null;

export function takeKeyFromUrl(): void {
  const { hash, pathname, search } = window.location;
  const found = /^#key=([^&]+)$/.exec(hash)?.[1];
  if (found === undefined) return;
  pendingKey = decodeURIComponent(found);
  window.history.replaceState(null, "", pathname === "/" ? "/sign-in" : pathname + search);
}

export const hasPendingKey = (): boolean => pendingKey !== null;

/** Returns the key once. */
export function takePendingKey(): string | null {
  const key = pendingKey;
  pendingKey = null;
  return key;
}
