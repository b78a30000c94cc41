// A service that signs people in with a provider, and a person's way through it.

import { get } from "node:http";
import type { TestContext } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { CLIENT, type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { WebBrowser } from "./web-browser.ts";

const groups = [
  { group: "heads", role: "admin" },
  { group: "ml", role: "dev" },
  { group: "money", role: "billing" },
  { group: "all", role: "basic" },
];

const usual = {
  name: "Acme",
  clientId: CLIENT.id,
  groups,
  scopes: "openid profile email groups offline_access",
  parameters: { prompt: "consent" },
};

export interface Scene {
  service: TestService;
  idp: IdentityProvider;
  /** What was logged as a warning. */
  log: string[];
  /** Signs in as a person, in a browser of its own, and returns where it ends. */
  signIn(
    person: string,
    browser?: WebBrowser,
  ): Promise<{ url: URL; browser: WebBrowser; self: Self | null }>;
}

interface Self {
  role: string;
  memberId: string;
  expiresAt: string;
  account: { id: string };
}

export async function startScene(
  t: TestContext,
  oidc: object = {},
  options: ServiceOptions = {},
): Promise<Scene> {
  const idp = await startIdentityProvider(t);
  const settings = { issuer: idp.origin, ...usual, ...oidc };
  const env = {
    FREEHOLD_OIDC: JSON.stringify(settings),
    FREEHOLD_OIDC_SECRET: CLIENT.secret,
    ...options.env,
  };
  const service = await startService(t, { ...options, env });
  const log: string[] = [];
  for (const replica of service.replicas) {
    // Fastify's logger inherits from the one that the service was given.
    const logger = Object.getPrototypeOf(replica.service.app.log);
    logger.warn = (_: object, message: string) => void log.push(message);
  }
  const signIn: Scene["signIn"] = async (person, browser = new WebBrowser()) => {
    idp.person = person;
    const { url } = await browser.open(`${service.origin}/oidc/start?next=/pods`);
    const response = await browser.fetch(`${service.origin}/v1/session`);
    return { url, browser, self: response.ok ? ((await response.json()) as Self) : null };
  };
  return { service, idp, log, signIn };
}

export const ada = { email: "ada@example.org", email_verified: true, name: "Ada", groups: ["ml"] };

interface RawAnswer {
  status: number;
  location: string | undefined;
  /** Cookies as a browser sends them back. */
  cookies: string;
}

/** A request that may name another host than the one that it goes to. */
export function requestAt(url: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const { location, "set-cookie": set = [] } = response.headers;
      const cookies = set.map((cookie) => cookie.split(";")[0]).join("; ");
      resolve({ status: response.statusCode!, location, cookies });
      response.resume();
    }).on("error", reject);
  });
}

const BEGIN = "mutation { createFlashAuthRequest { id } }";
const COLLECT = `query ($id: String!) { flashAuthRequestStatus(flashAuthRequestId: $id) { apiKey } }`;

/** Asks as one of the console's pages. */
export const askAs = (
  { service }: Scene,
  browser: WebBrowser,
  method: string,
  path: string,
  body?: object,
) =>
  browser.fetch(
    service.origin + path,
    { origin: service.origin, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    { method, ...(body && { body: JSON.stringify(body) }) },
  );

/** The answer to the approval, and the key that the command line gets. */
export async function approveLogin(scene: Scene, browser: WebBrowser) {
  const graphql = async (query: string, variables: object) =>
    (await scene.service.call("POST", "/graphql", { query, variables }, { authorization: "" })).json
      .data;
  const { id } = (await graphql(BEGIN, {})).createFlashAuthRequest;
  const approval = await askAs(scene, browser, "POST", `/v1/device-logins/${id}/approve`, {});
  const { apiKey } = (await graphql(COLLECT, { id })).flashAuthRequestStatus;
  return { status: approval.status, text: await approval.text(), key: apiKey as string };
}

export const statusOf = async ({ service }: Scene, browser: WebBrowser) =>
  (await browser.fetch(`${service.origin}/v1/session`)).status;

export const statusWith = async ({ service }: Scene, key: string) =>
  (await service.call("GET", "/v1/session", undefined, { authorization: `Bearer ${key}` })).status;
