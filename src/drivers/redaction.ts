// Removal of a workload's secret values from the words of an engine. Pure.

export type Redact = (text: string) => string;

const MARK = "[redacted]";

/** A line of a longer secret that is shorter than this could be any word. */
const MIN_LINE_CHARS = 8;

/** Engines quote and escape what they repeat, so that each value is removed in its usual forms. */
export function redactorOf(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== "");
  // A value may contain another.
  forms.sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, MARK), text);
}

function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS);
  return [secret, secret.trim(), ...lines].flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
  ]);
}
