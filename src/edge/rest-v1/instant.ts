// Instants as this interface writes them.

/** UTC, ISO 8601. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}
