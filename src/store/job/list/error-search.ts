// The search for a part of a job's error, in any case.

export const ERROR_CONTAINS = "lower(error) like ? escape '!'";

/** The parameter of the condition: the text itself, without wildcards. */
export function errorPattern(text: string): string {
  return `%${text.toLowerCase().replace(/[!%_]/g, "!$&")}%`;
}
