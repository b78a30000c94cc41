// Requests that outlast a change of networks: Chromium drops what it is sending when an interface of its
// machine comes or goes, which on a laptop is whenever a container starts. A repeat does nothing twice.

const WAITS_MS = [200, 1_000, 3_000];

/** What they make is secret and shown once, or refused by its name the second time. */
const ONLY_ONCE =
  /^\/v1\/(?:keys|accounts|invitations|secrets|containerregistryauth|ssh-keys)(?:\/accept)?$/;

export async function patientFetch(asked: Request): Promise<Response> {
  const { pathname } = new URL(asked.url);
  if (asked.method === "POST" && ONLY_ONCE.test(pathname)) return fetch(asked);
  if (asked.method === "POST") asked.headers.set("Idempotency-Key", freshKey());
  for (const wait of WAITS_MS) {
    try {
      return await fetch(asked.clone());
    } catch (fault) {
      if (asked.signal.aborted) throw fault;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return fetch(asked);
}

/** `crypto.randomUUID` is there only over HTTPS and on this machine. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) =>
    each.toString(16).padStart(2, "0"),
  ).join("");
}
