// Labels of a resource: names and values that lists select by and that costs are divided by. Pure.

export type Labels = Readonly<Record<string, string>>;

/** A resource matches if it has each of these. */
export type LabelFilter = readonly (readonly [name: string, value: string])[];

export const noLabels: Labels = {};

/** The value of a label; null without it. */
export function labelOf(labels: Labels, name: string): string | null {
  return Object.hasOwn(labels, name) ? labels[name]! : null;
}

export function hasLabels(labels: Labels, filter: LabelFilter): boolean {
  return filter.every(([name, value]) => labelOf(labels, name) === value);
}

/** Reads "team=search". The value may have more equals signs. */
export function labelIn(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

export function isSameLabels(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => labelOf(other, name) === one[name]);
}
