// An error that the product returns, with its code, its public sentence and what a client can do about it.

import { type FaultCode, faultCatalog } from "./fault-catalog.ts";

export type Facts = Record<string, string | number>;

/** A machine that cannot take a workload, and why. */
export interface PassedOver {
  machine: string;
  reason: string;
  /** What is reserved for others or guaranteed to them, if that keeps the workload from its GPUs, as sentences. */
  withheldTexts?: string[];
}

/** An error with a code from the catalog. `message` is the public sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly status: number;
  readonly retryAfterS: number | null;
  /** The reason for each machine that does not fit, if none fits. */
  readonly passedOver: readonly PassedOver[] | null;
  /** An entry for each invalid field, if the request is not valid. */
  readonly errors: readonly string[] | null;
  /** The accounts to choose from, if several fit. */
  readonly accounts: readonly { id: string; name: string }[] | null;

  constructor(
    code: FaultCode,
    facts: Facts = {},
    options: {
      retryAfterS?: number;
      passedOver?: readonly PassedOver[];
      errors?: readonly string[];
      accounts?: readonly { id: string; name: string }[];
    } = {},
  ) {
    super(sentence(code, facts));
    this.code = code;
    this.status = faultCatalog[code].status;
    this.passedOver = options.passedOver ?? null;
    this.errors = options.errors ?? null;
    this.accounts = options.accounts ?? null;
    this.retryAfterS = options.retryAfterS ?? (faultCatalog[code].retry ? 1 : null);
  }
}

function sentence(code: FaultCode, facts: Facts): string {
  return faultCatalog[code].sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(facts[name] ?? whole),
  );
}
