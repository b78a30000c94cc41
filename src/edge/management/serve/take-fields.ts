// Views show the fields that a schema names. Readers of bodies take fields by name, and end with
// `rest satisfies Record<string, never>`, or hand a body on whole: a field that a schema has and its reader forgets does not compile.

/** A body that is handed on as it is: `body satisfies Whole<typeof body, Receiver>`. `never` if it has a field that its receiver lacks. */
export type Whole<Body, Receiver> =
  Exclude<keyof Body, keyof Receiver> extends never ? Body : never;

/** The fields of a domain object that a schema names, in the order of the schema. */
export function shownFields<Source extends object, Properties extends object>(
  source: Source,
  properties: Properties,
): Pick<Source, keyof Source & keyof Properties> {
  type Shown = Pick<Source, keyof Source & keyof Properties>;
  const names = Object.keys(properties).filter((name) => Object.hasOwn(source, name));
  return Object.fromEntries(names.map((name) => [name, source[name as keyof Shown]])) as Shown;
}

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
