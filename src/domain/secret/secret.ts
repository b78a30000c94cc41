// Secrets: values that variables refer to by name, `{{ RUNPOD_SECRET_name }}`, and that are put in
// their place only when a workload is started. Pure.

export interface Secret {
  id: string;
  accountId: string;
  name: string;
  description: string;
  /** Sealed for `valueOwner`. */
  value: string;
  createdAt: number;
  changedAt: number;
}

/** What a secret's value is sealed for. */
export const valueOwner = (id: string) => `secret:${id}`;

/** Whatever stands for a name in there, so that one which could be none is missed and told of. */
const REFERENCE = /\{\{\s*RUNPOD_SECRET_([^{}]*?)\s*\}\}/g;

type Env = Readonly<Record<string, string>>;

/** The names of the secrets that some variables refer to, each once. */
export function secretsIn(env: Env): string[] {
  const found = Object.values(env).flatMap((value) => [...value.matchAll(REFERENCE)]);
  return [...new Set(found.map(([, name]) => name!))];
}

/** The variables with values in the place of references; all that they refer to must be there. */
export function withSecrets(env: Env, values: ReadonlyMap<string, string>): Record<string, string> {
  const filled = Object.entries(env).map(([key, value]) => {
    return [key, value.replace(REFERENCE, (_, name: string) => values.get(name)!)];
  });
  return Object.fromEntries(filled);
}
