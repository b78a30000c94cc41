// The worker that a client asks for in the header X-Runpod-Worker-Id. Pure.

/** A preference falls back to any worker; a requirement does not. */
export type Affinity = { kind: "any" } | { kind: "prefer" | "require"; workerId: string };

export const WORKER_HEADER = "X-Runpod-Worker-Id";

const ANY: Affinity = { kind: "any" };

const FORM = /^(?:(strict|strict-resume)\s+)?([A-Za-z0-9_-]{1,64})$/i;

/** Null for a value of another form. */
export function affinityOf(value: string | undefined): Affinity | null {
  const text = value?.trim() ?? "";
  if (text === "") return ANY;
  const match = FORM.exec(text);
  if (!match) return null;
  return { kind: match[1] ? "require" : "prefer", workerId: match[2]! };
}
