// Inputs as clients send them: what is null or an empty string is not set.

/** The members that are set. */
export function given<Input extends object>(
  input: Input | null | undefined,
): { [Name in keyof Input]?: NonNullable<Input[Name]> } {
  const set = Object.entries(input ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return Object.fromEntries(set) as { [Name in keyof Input]?: NonNullable<Input[Name]> };
}

/** "a, b" in parts; empty ones are none. */
export function parts(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Where 0 is the least that can be asked for, it asks for nothing. */
export function atLeast(minimum: number | undefined): number | null {
  return minimum === undefined || minimum <= 0 ? null : minimum;
}

export interface Variable {
  key: string;
  value: string;
}

export function envObject(list: readonly (Variable | null)[]): Record<string, string> {
  return Object.fromEntries(list.flatMap((each) => (each ? [[each.key, each.value]] : [])));
}

export function envList(env: Record<string, string>): Variable[] {
  return Object.entries(env).map(([key, value]) => ({ key, value }));
}
