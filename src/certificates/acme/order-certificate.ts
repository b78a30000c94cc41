// One order at an ACME server (RFC 8555): account, challenges over http, certificate. Errors carry the server's sentence.

import { isIP } from "node:net";
import acme from "acme-client";
import type { AcmeSettings } from "../../config/certificate/acme-config.ts";
import type { AcmeStore } from "./acme-store.ts";

/** How long the server may take to validate and to issue. */
const POLLING = { backoffAttempts: 15, backoffMin: 1_000, backoffMax: 10_000 };
const REQUEST_MS = 30_000;
const CHALLENGE = "http-01";

/** An order that failed. */
export class OrderFailed extends Error {
  override readonly name = "OrderFailed";
  /** How long the server asks to wait; null if it does not. */
  readonly retryAfterMs: number | null;
  constructor(sentence: string, retryAfterMs: number | null) {
    super(sentence);
    this.retryAfterMs = retryAfterMs;
  }
}

let lastRetryAfter: string | null = null;
configureClient();

/**
 * The client would wait itself, for as long as the server asks; the order's own back-off does it where it can end. Its
 * handler of errors is replaced, which without a wait hides why a server cannot be reached. The client checks statuses.
 */
function configureClient(): void {
  const { defaults, interceptors } = acme.axios;
  defaults.timeout = REQUEST_MS;
  const heard = <T extends Response>(response: T): T => {
    const isLimit = response.status === 429 || response.status === 503;
    lastRetryAfter = isLimit ? String(response.headers["retry-after"] ?? "") : null;
    return response;
  };
  interceptors.response.clear();
  interceptors.response.use(heard, (error: TransportError) => {
    if (error.response !== undefined) return heard(error.response);
    throw new Error(unreachable(error));
  });
}

interface Response {
  status: number;
  headers: Record<string, unknown>;
}

interface TransportError extends NodeJS.ErrnoException {
  response?: Response;
  config?: { url?: string };
}

const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED|INVALID_CA)/;

function unreachable({ code, message, config }: TransportError): string {
  const host = URL.parse(config?.url ?? "")?.host ?? "the ACME server";
  return UNTRUSTED.test(code ?? "")
    ? `the certificate of ${host} is not trusted (${code}); if its authority is your own, start with NODE_EXTRA_CA_CERTS=root.pem`
    : `${host} cannot be reached: ${code ?? message}`;
}

/** Throws OrderFailed. */
export async function orderCertificate(
  settings: AcmeSettings,
  store: AcmeStore,
  now: () => number,
): Promise<{ cert: string; key: string }> {
  lastRetryAfter = null; // an earlier order's
  try {
    return await order(settings, store);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const sentence = message || code || "the server gave no reason";
    throw new OrderFailed(sentence, retryAfterMs(lastRetryAfter, now()));
  }
}

async function order(settings: AcmeSettings, store: AcmeStore) {
  const { directory, email, names, profile } = settings;
  const accountKey = await store.accountKey(directory, async () =>
    String(await acme.crypto.createPrivateEcdsaKey()),
  );
  const client = new acme.Client({ directoryUrl: directory, accountKey, ...POLLING });
  await openAccount(client, email);
  const identifiers = names.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value }));
  const request = { identifiers, ...(profile !== null && { profile }) };
  const newOrder = await client.createOrder(request);
  for (const authorization of await client.getAuthorizations(newOrder)) {
    await authorize(client, store, authorization);
  }
  const key = await acme.crypto.createPrivateEcdsaKey();
  const [, csr] = await acme.crypto.createCsr({ altNames: names }, key);
  const cert = await client.getCertificate(await client.finalizeOrder(newOrder, csr));
  return { cert, key: String(key) };
}

/** The client updates an account that exists, also with nothing new, which servers refuse. The account is there then. */
async function openAccount(client: acme.Client, email: string | null): Promise<void> {
  const contact = email === null ? {} : { contact: [`mailto:${email}`] };
  await client.createAccount({ termsOfServiceAgreed: true, ...contact }).catch((error) => {
    if (!hasAccount(client)) throw error;
  });
}

function hasAccount(client: acme.Client): boolean {
  try {
    return client.getAccountUrl() !== "";
  } catch {
    return false;
  }
}

async function authorize(
  client: acme.Client,
  store: AcmeStore,
  { status, identifier, challenges }: acme.Authorization,
): Promise<void> {
  if (status === "valid") return; // of an order before
  const challenge = challenges.find(({ type }) => type === CHALLENGE);
  if (!challenge) throw new Error(`the server offers no ${CHALLENGE} for ${identifier.value}`);
  const { token } = challenge;
  await store.openChallenge(token, await client.getChallengeKeyAuthorization(challenge));
  try {
    await client.completeChallenge(challenge);
    await client.waitForValidStatus(challenge);
  } finally {
    await store.closeChallenge(token);
  }
}

/** Seconds, or a date. */
function retryAfterMs(header: string | null, now: number): number | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
