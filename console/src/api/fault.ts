// What went wrong, in words for people, and what they can do about it.

export interface Refused {
  /** Null where no answer came. */
  status: number | null;
  code: string | null;
  sentence: string;
  /** What to do next; null where the sentence says it. */
  mend: string | null;
  /** Machines that were looked at, and why each was passed over. */
  why: { machineId: string; reason: string }[];
}

const mends: Record<string, string> = {
  no_capacity: "Choose another GPU or fewer of them, or free a machine.",
  machine_full: "Wait until a GPU of its machine is free, or start it without one by the API.",
  no_credits: "Stop something that runs, or have credits added under Billing.",
  store_unavailable: "It tries again by itself; nothing was lost.",
  stopping: "It starts again in a moment.",
  too_busy: "Try again in a moment.",
  worker_unreachable: "The machine may be restarting; try again in a moment.",
  forbidden: "Sign in with a key that may do this.",
};

export function refusedBy(error: unknown): Refused {
  const body = error as { error?: unknown; status?: unknown; code?: unknown; why?: Refused["why"] };
  if (typeof body?.error === "string") {
    const code = String(body.code);
    return {
      status: Number(body.status),
      code,
      sentence: body.error,
      mend: mends[code] ?? null,
      why: body.why ?? [],
    };
  }
  return {
    status: null,
    code: null,
    sentence: "The service does not answer.",
    mend: "Check that it runs and that this browser reaches it; the page looks again by itself.",
    why: [],
  };
}
