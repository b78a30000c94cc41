// Whether a JSON value is an object. Pure.

/** False for lists and null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
