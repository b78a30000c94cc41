// Waiting for polls to be held without waiting for a time: what was sent before has arrived when
// enough of what was sent after it is answered.

/** A call as a house's own, to one replica or to all in turn. */
type Call = (method: string, path: string) => Promise<unknown>;

/** Resolves once the service, or each of its replicas, holds the polls that were sent before. */
export async function held(call: Call): Promise<void> {
  for (let n = 0; n < 20; n++) await call("GET", "/healthz");
}
