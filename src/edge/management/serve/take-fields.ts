// Readers of bodies take fields by name, and end with `rest satisfies Record<string, never>`: a field that a schema has and
// its reader forgets does not compile. A reader that passes the body on whole checks its type in place of `rest`:
// `({}) as Omit<typeof body, keyof Known> satisfies Record<string, never>`.

/** The fields of a body that `known` has as well, and those that are left. */
export function takeFields<Body extends object, Known extends object>(
  body: Body,
  known: Known,
): [Pick<Body, keyof Body & keyof Known>, Omit<Body, keyof Known>] {
  const entries = Object.entries(body);
  const taken = entries.filter(([name]) => Object.hasOwn(known, name));
  const rest = entries.filter(([name]) => !Object.hasOwn(known, name));
  return [Object.fromEntries(taken), Object.fromEntries(rest)] as [
    Pick<Body, keyof Body & keyof Known>,
    Omit<Body, keyof Known>,
  ];
}
