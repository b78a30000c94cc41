// A fetch that retries after network changes: Chromium aborts requests when a network interface appears or
// disappears, which happens whenever a container starts. An idempotency key makes a retry safe.

const RETRY_DELAYS_MS = [200, 1_000, 3_000];

/** Their response is a secret that is shown once, a second request fails by its name, or a worker would get it twice. */
const NOT_RETRIED =
  /^\/v1\/(?:(?:keys|accounts|invitations|secrets|containerregistryauth|ssh-keys|s3-keys)(?:\/accept)?|(?:members\/\w+\/)?(?:password-reset|totp)|endpoints\/\w+\/requests)$/;

/** `isRead` is true for a POST that changes nothing, such as a GraphQL query. */
export async function retryingFetch(request: Request, isRead = false): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "POST" && NOT_RETRIED.test(pathname)) return fetch(request);
  if (request.method === "POST" && !isRead)
    request.headers.set("Idempotency-Key", newIdempotencyKey());
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await fetch(request.clone());
    } catch (fault) {
      if (request.signal.aborted) throw fault;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return fetch(request);
}

const ANSWER_TIMEOUT_MS = 5_000;

/** Whether the service answers. It does not if it hangs, or if a proxy in front of it says that it is away. */
export const isReachable = (): Promise<boolean> =>
  fetch("/v1/sign-in", { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Browsers offer `crypto.randomUUID` over TLS and on loopback only. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) =>
    each.toString(16).padStart(2, "0"),
  ).join("");
}
