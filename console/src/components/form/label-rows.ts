// Labels as a form edits them: rows, and the text that its values hold, one name=value per line.

import type { Labeled } from "../format/labels.ts";
import { formatVariables, parseVariables } from "./text-values.ts";

export interface LabelRow {
  name: string;
  value: string;
}

export function labelRows(text: string): LabelRow[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [name = "", ...rest] = line.split("=");
    return { name, value: rest.join("=") };
  });
}

/** A row that is still empty is no label. */
export const labelsText = (rows: readonly LabelRow[]): string =>
  rows
    .filter(({ name, value }) => name !== "" || value !== "")
    .map(({ name, value }) => `${name}=${value}`)
    .join("\n");

/** What an object of labels cannot say: two values of a name, and a value without one. The service checks the rest. */
export function labelErrors(text: string): { labels?: string } {
  const names = labelRows(text).map(({ name }) => name.trim());
  if (names.includes("")) return { labels: "Enter a name for each label" };
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  return twice === undefined ? {} : { labels: `"${twice}" appears twice` };
}

/** The text for the labels that a resource has. */
export const textOfLabels = ({ labels = {} }: Labeled): string => formatVariables(labels);

/** The part of a body for the labels; empty if they stay as they were. */
export const labelsBody = (text: string, before = ""): Labeled =>
  text === before ? {} : { labels: parseVariables(text) };
