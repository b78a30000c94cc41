// Instants in the format of the management API.

/** An ISO 8601 date and time in UTC. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}

/** The instants that are not null, formatted. */
export function present<Name extends string>(
  instants: Record<Name, number | null>,
): { [Key in Name]?: string } {
  const entries = Object.entries<number | null>(instants).filter(([, at]) => at !== null);
  return Object.fromEntries(entries.map(([name, at]) => [name, instant(at!)])) as {
    [Key in Name]?: string;
  };
}
