// Errors of the service as text: what went wrong, and how to fix it.

export interface ErrorDescription {
  /** Null if there was no response. */
  status: number | null;
  code: string | null;
  message: string;
  /** The next step; null if the message has it. */
  fix: string | null;
  /** The machines that were considered, and why each does not fit. */
  why: { machineId: string; reason: string }[];
}

const fixes: Record<string, string> = {
  no_capacity: "Ask for less or for another type, or free capacity on a machine.",
  machine_full: "Stop something else on its machine, or try again later.",
  no_longer_offered: "Create another one, or ask the operator to put it back into the catalog.",
  no_credits: "Stop running resources, or ask the operator to add credits.",
  store_unavailable: "Nothing was lost. Try again in a moment.",
  stopping: "Freehold is restarting. Try again in a moment.",
  too_busy: "Try again in a moment.",
  worker_unreachable: "The machine may be restarting. Try again in a moment.",
  forbidden: "Sign in with an API key that has the required permissions.",
};

export function describeError(error: unknown): ErrorDescription {
  const body = (error ?? {}) as {
    error?: unknown;
    detail?: unknown;
    status?: unknown;
    code?: unknown;
    why?: ErrorDescription["why"];
  };
  // REST v2 answers with problem documents.
  const message = body.error ?? body.detail;
  if (typeof message === "string") {
    const code = typeof body.code === "string" ? body.code : null;
    return {
      status: Number(body.status),
      code,
      message,
      fix: fixes[code ?? ""] ?? null,
      why: body.why ?? [],
    };
  }
  return {
    status: null,
    code: null,
    message: "Cannot reach Freehold.",
    fix: "Check that Freehold is running and reachable from this browser.",
    why: [],
  };
}

/** Whether the service has nothing to show for a page: it was deleted, or never was. */
export const isMissing = (query: { data: unknown; error: unknown }): boolean =>
  query.data === undefined && describeError(query.error).status === 404;
