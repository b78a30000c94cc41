// Instants as this interface writes them.

/** UTC, ISO 8601. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}

/** Those of some instants that are there. */
export function present<Name extends string>(
  instants: Record<Name, number | null>,
): { [Key in Name]?: string } {
  const known = Object.entries<number | null>(instants).filter(([, at]) => at !== null);
  return Object.fromEntries(known.map(([name, at]) => [name, instant(at!)])) as {
    [Key in Name]?: string;
  };
}
