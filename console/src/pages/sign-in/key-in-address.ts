// The link that `npm start` prints carries a key behind the "#", which no browser sends anywhere. It is
// taken out of the address at once and lives in memory until it was used.

let given: string | null = null;

export function takeKeyFromAddress(): void {
  const { hash, pathname, search } = window.location;
  const found = /^#key=([^&]+)$/.exec(hash)?.[1];
  if (found === undefined) return;
  given = decodeURIComponent(found);
  window.history.replaceState(null, "", pathname === "/" ? "/sign-in" : pathname + search);
}

/** Once. */
export function givenKey(): string | null {
  const key = given;
  given = null;
  return key;
}
