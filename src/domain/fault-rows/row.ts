// A row of the fault catalog. This file imports nothing.

export interface FaultRow {
  status: number;
  /** What must change for the request to succeed: the request, a resource's state, or the service. */
  blame: "caller" | "state" | "service";
  /** Whether the same request can succeed later without a change. */
  retry: boolean;
  /** The public sentence; `{name}` is replaced by the fact of that name. */
  sentence: string;
}

type RowOf = (status: number, sentence: string, retry?: boolean) => FaultRow;

const rowOf =
  (blame: FaultRow["blame"]): RowOf =>
  (status, sentence, retry = false) => ({ status, blame, sentence, retry });

export const [caller, state, service] = [rowOf("caller"), rowOf("state"), rowOf("service")];
