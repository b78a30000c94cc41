// Schema parts that several operations share.

import Type, { type TObject, type TSchema } from "typebox";

/** Whole numbers stay within 32 bits, which is what the GraphQL interface can carry. */
export const MAX_INTEGER = 2_147_483_647;

/** Schema keyword: the accepted values in words, for validation errors that the schema alone would explain badly. */
export const TAKES = "x-takes";

/** Schema keyword of a list in a query: its values may also be joined by commas. */
export const COMMAS = "x-comma-separated";

/** Schema keyword of a list in a query of REST v2: the parameter is repeated, and commas belong to its values. */
export const REPEATS = "x-repeats";

/** Schema keyword: values are from a list of the installation's catalog. A served document has them as an enum. */
export const CATALOG = "x-catalog";

/** The lists of a catalog by the names that schemas use for them. */
export interface CatalogNames {
  gpuTypes: readonly string[];
  cpuFlavors: readonly string[];
  workerFlavors: readonly string[];
  dataCenters: readonly string[];
  cudaVersions: readonly string[];
}

/** A list of ids; `names` are those of a catalog's list. */
export const idList = (description: string, names?: keyof CatalogNames) =>
  Type.Array(Type.String(names && { [CATALOG]: names }), { default: [], description });

/** A filter of a list: one value, repeated values, or values joined by commas. */
export function filterList<Item extends TSchema = Type.TString>(
  description: string,
  items: Item = Type.String() as TSchema as Item,
) {
  return Type.Array(items, { [COMMAS]: true, description });
}

/** The field `createdBy` of a resource that members create. */
export const createdBy = Type.Object(
  { id: Type.String(), name: Type.String() },
  {
    description:
      "The member it belongs to: its creator, or the one it was handed over to. Absent if it belongs to the account alone. An extension of Freehold.",
  },
);

/** The filter `createdBy` of a list. */
export const createdByFilter = Type.String({
  description: 'Only what belongs to the member with this id; "me" for the caller.',
});

export const name = Type.String({
  minLength: 1,
  maxLength: 191,
  description: "Display name, at most 191 characters.",
});

export const instant = Type.String({
  format: "date-time",
  description: "An ISO 8601 date and time in UTC.",
});

export function wholeNumber(minimum: number, options: Record<string, unknown> = {}) {
  return Type.Integer({ minimum, maximum: MAX_INTEGER, ...options });
}

/** Names and values of environment variables. */
export const env = Type.Unsafe<Record<string, string>>(
  Type.Object(
    {},
    {
      default: {},
      additionalProperties: Type.String(),
      propertyNames: { pattern: "^[^=\\u0000]+$", [TAKES]: 'at least one character and no "="' },
      description: "Environment variables: an object of string names and string values.",
    },
  ),
);

const MAX_LABELS = 50;

/** Names and values that lists select by and costs are divided by. */
export const labels = Type.Unsafe<Record<string, string>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.String({
        maxLength: 255,
        pattern: "^[^\\u0000]*$",
        [TAKES]: "a string of at most 255 characters",
      }),
      propertyNames: {
        pattern: "^[^=\\u0000]{1,63}$",
        [TAKES]: 'at most 63 characters and no "="',
      },
      maxProperties: MAX_LABELS,
      [TAKES]: `an object of at most ${MAX_LABELS} labels, names with string values`,
      description:
        `Labels: an object of at most ${MAX_LABELS} names with values, to select by and to divide costs by. A change ` +
        "replaces all of them. An extension of Freehold.",
    },
  ),
);

/** The filter `labels` of a list. Nothing has more labels; the store compares each of them in one condition. */
export const labelFilter = Type.Array(
  Type.String({ pattern: "^[^=]+=", [TAKES]: "a label such as team=search" }),
  {
    maxItems: MAX_LABELS,
    [TAKES]: `a list, each a label such as team=search, and at most ${MAX_LABELS} of them`,
    [REPEATS]: true,
    description: "Only what has this label, as name=value; repeat it to require several.",
  },
);

/** The query of a list of what has owners and labels. */
export const labeledList = Type.Object({
  createdBy: Type.Optional(createdByFilter),
  labels: Type.Optional(labelFilter),
});

/** The schema of a partial update: every member is optional, and an omitted member keeps its value. */
export function partialUpdate<Schema extends TObject>(schema: Schema) {
  const members = Object.entries(schema.properties).map(([key, member]) => [
    key,
    withoutDefault(member),
  ]);
  const all = Type.Object(Object.fromEntries(members) as Schema["properties"]);
  return Type.Partial(all, { additionalProperties: false });
}

/** For a partial update, in which an omitted member keeps its value. */
export function withoutDefault<Schema extends TSchema>(schema: Schema): Schema {
  const { default: _, ...rest } = Object.getOwnPropertyDescriptors(schema) as PropertyDescriptorMap;
  return Object.defineProperties({}, rest) as Schema;
}
