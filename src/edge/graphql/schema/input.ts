// Inputs as clients send them: null and an empty string mean that a field is not set.

import { Fault } from "../../../domain/fault.ts";
import { type Labels, noLabels } from "../../../domain/label/labels.ts";
import type {
  EnvironmentVariable,
  EnvironmentVariableInput,
  LabelInput,
} from "./types.generated.ts";

/** The fields of an input that are set. */
export type Present<Input> = { [Name in keyof Input]?: NonNullable<Input[Name]> };

export function presentFields<Input extends object>(
  input: Input | null | undefined,
): Present<Input> {
  const present = Object.entries(input ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return Object.fromEntries(present) as Present<Input>;
}

/** The input of a field whose schema leaves it optional though nothing can be done without it. */
export function requireInput<Input>(input: Input | null | undefined): Input {
  if (input) return input;
  throw new Fault("invalid_body", { detail: '"input" is missing.' });
}

/** The non-empty items of a list such as "a, b". */
export function splitList(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** The items that are neither null nor empty. */
export function presentItems(list: readonly (string | null | undefined)[] | null | undefined) {
  return (list ?? []).filter((item): item is string => Boolean(item));
}

/** A minimum; 0 and below ask for nothing. */
export function positiveOrNull(minimum: number | undefined): number | null {
  return minimum === undefined || minimum <= 0 ? null : minimum;
}

export function envObject(
  list: readonly (EnvironmentVariableInput | null)[],
): Record<string, string> {
  return Object.fromEntries(list.flatMap((each) => (each ? [[each.key, each.value]] : [])));
}

export function labelsObject(list: readonly LabelInput[]): Labels {
  const labels = new Map<string, string>();
  for (const { key, value } of list) {
    if (labels.has(key)) {
      throw new Fault("invalid_body", { detail: `"labels" must have "${key.slice(0, 80)}" once.` });
    }
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}

export function labelList(labels: Labels = noLabels): { key: string; value: string }[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value }));
}

export function envList(env: Record<string, string>): EnvironmentVariable[] {
  return Object.entries(env).map(([key, value]) => ({ key, value }));
}
