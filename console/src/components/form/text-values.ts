// Values that a form edits as text: numbers, lists and environment variables.

/** NaN if the text is empty or not a number. */
export const parseNumber = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** Words between commas or spaces. */
export const splitList = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** Splits like a shell, with quotes but without variables. */
export function splitWords(text: string): string[] {
  const words = text.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))/g);
  return [...words].map(([, double, single, plain]) =>
    double !== undefined ? double.replace(/\\(.)/g, "$1") : (single ?? plain ?? ""),
  );
}

/** One NAME=value per line. */
export function parseVariables(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf("=");
      return equals === -1
        ? [line.trim(), ""]
        : [line.slice(0, equals).trim(), line.slice(equals + 1)];
    }),
  );
}

export const formatVariables = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
