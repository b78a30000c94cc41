// Which changes make which reads stale: the kinds that the service's events name.

export type Changes = Record<string, string[] | null>;

/** By the beginning of an address; the longest that fits counts. */
const kinds: Record<string, string[]> = {
  "/v1/pods": ["pod"],
  "/v1/pods/{podId}/metrics": ["metrics"],
  "/v1/endpoints": ["endpoint", "worker"],
  "/v1/endpoints/{endpointId}/cost": ["worker", "metrics"],
  "/v1/endpoints/{endpointId}/history": [], // it moves with the time, and is asked for anew
  "/v1/endpoints/{endpointId}/workers": ["worker"],
  "/v1/endpoints/{endpointId}/releases": ["endpoint"],
  "/v1/jobs": ["job"],
  "/v1/workers": ["worker"],
  "/v1/workers/{workerId}/metrics": ["metrics"],
  "/v1/why": ["job", "worker", "pod", "endpoint", "machine"],
  "/v1/templates": ["template"],
  "/v1/networkvolumes": ["networkVolume", "pod", "endpoint"],
  "/v1/containerregistryauth": ["registryAuth"],
  "/v1/secrets": ["secret"],
  "/v1/ssh-keys": ["sshKey"],
  "/v1/machines": ["machine", "pod", "worker"],
  "/v1/catalog": ["machine", "pod", "worker", "price"],
  "/v1/keys": ["key"],
  "/v1/sessions": ["session"],
  "/v1/balance": ["balance", "pod", "worker", "metrics"],
  "/v1/billing": ["balance", "metrics"],
  "/v1/budgets": ["budget", "metrics"],
  "/v1/savings-plans": ["savingsPlan"],
  "/v1/price-book": ["price"],
  "/v1/quote": ["price", "machine", "pod", "worker", "balance", "budget", "savingsPlan"],
  "/v1/members": ["member"],
  "/v1/invitations": ["member"],
  "/v2/{endpointId}/health": ["job", "worker"],
  "/v2/{endpointId}/metrics": ["job", "worker"],
  "/v2/{endpointId}/requests": ["job"],
};

/** A query is ["get", address, what goes into it]. */
export type Key = readonly [
  method: string,
  address: string,
  init?: { params?: { path?: Record<string, string> } },
];

export function isStale([, address, init]: Key, changes: Changes): boolean {
  const path = Object.values(init?.params?.path ?? {});
  return kindsOf(address).some((kind) => {
    const ids = changes[kind];
    if (ids === undefined) return false;
    // An id that is not in the address may be of anything in the list.
    const own = OWN_ID.has(address);
    return ids === null || !own || path.some((id) => ids.includes(id));
  });
}

/** These show one thing, whose id a change of it names. */
const OWN_ID = new Set([
  "/v1/pods/{podId}",
  "/v1/pods/{podId}/events",
  "/v1/endpoints/{endpointId}/workers/{workerId}",
]);

function kindsOf(address: string): string[] {
  const fitting = Object.keys(kinds).filter((each) => address.startsWith(each));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? [] : kinds[longest]!;
}
