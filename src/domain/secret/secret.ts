// Secrets: values that variables refer to by name, `{{ RUNPOD_SECRET_name }}`. A reference is
// resolved only when a workload starts. Pure.

import type { Labels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";

export interface Secret extends Owned {
  id: string;
  accountId: string;
  name: string;
  description: string;
  labels: Labels;
  /** Sealed for `valueOwner`. */
  value: string;
  createdAt: number;
  changedAt: number;
  valueChangedAt: number;
}

/** The owner id that a secret's value is sealed for. */
export const valueOwner = (id: string) => `secret:${id}`;

/** Matches any text as the name, so that an invalid name is reported as missing. */
const REFERENCE = /\{\{\s*RUNPOD_SECRET_([^{}]*?)\s*\}\}/g;

type Env = Readonly<Record<string, string>>;

/** The names of the secrets that some variables refer to, without duplicates. */
export function secretsIn(env: Env): string[] {
  const found = Object.values(env).flatMap((value) => [...value.matchAll(REFERENCE)]);
  return [...new Set(found.map(([, name]) => name!))];
}

/** The variables with references replaced by values; all secrets must exist. */
export function withSecrets(env: Env, values: ReadonlyMap<string, string>): Record<string, string> {
  const filled = Object.entries(env).map(([key, value]) => {
    return [key, value.replace(REFERENCE, (_, name: string) => values.get(name)!)];
  });
  return Object.fromEntries(filled);
}
