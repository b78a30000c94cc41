// The npm package oidc-provider on loopback: a certified OpenID Connect provider. Its sign-in page lets the person in that
// the test chose, and its answers can be changed on their way, as by a provider that is wrongly set up.

import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import Provider from "oidc-provider";
import { addCleanup } from "../fixtures/cleanup.ts";

export interface TestPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export const CLIENT = { id: "freehold", secret: "a secret of the client" };

interface SigningKey {
  id: string;
  key: KeyObject;
}

export class IdentityProvider {
  /** By their id at the provider. */
  readonly people = new Map<string, TestPerson>();
  /** The person that signs in next. */
  person = "";
  /** Whether connections are closed without an answer. */
  isAway = false;
  /** Changes the claims of ID tokens before they are signed. */
  changeClaims: (claims: Record<string, unknown>) => object = (claims) => claims;
  /** Another issuer than the own one in the discovery document. */
  issuerShown: string | null = null;
  /** Requests by path. */
  readonly calls = new Map<string, number>();
  readonly origin: string;
  /** Signs logout tokens. */
  readonly #own = newKey("own");
  #keys: SigningKey[] = [newKey("first")];
  #provider: Provider | null = null;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Starts to answer, for a service at this origin. */
  serve(serviceOrigin: string, client: object = {}): void {
    this.#provider = new Provider(this.origin, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${serviceOrigin}/oidc/callback`],
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method: "client_secret_post",
          ...client,
        },
      ],
      jwks: {
        keys: [{ ...this.#own.key.export({ format: "jwk" }), kid: this.#own.id, use: "sig" }],
      },
      cookies: { keys: ["a key of the test"] },
      claims: {
        openid: ["sub"],
        profile: ["name"],
        groups: ["groups"],
        email: ["email", "email_verified"],
      },
      scopes: ["openid", "profile", "email", "groups", "offline_access"],
      findAccount: (_: unknown, id: string) => this.#account(id),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource(context: { body: string }, form: string) {
            context.body = form;
          },
        },
      },
      // Its own connections refuse loopback.
      fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher: unknown }) =>
        fetch(url, options),
    });
  }

  /** Signs with another key from now on, which takes the place of the one before. */
  rotateKey(id: string, isPublished = true): void {
    this.#keys = [...(isPublished ? [] : this.#keys), newKey(id)];
    this.#published = isPublished ? this.#keys : this.#keys.slice(0, -1);
  }

  #published = this.#keys;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split("?")[0]!;
    this.calls.set(path, (this.calls.get(path) ?? 0) + 1);
    if (this.isAway || !this.#provider) return void request.socket.destroy();
    if (path === "/jwks")
      return sendJson(response, { keys: [this.#own, ...this.#published].map(publicKey) });
    if (path.startsWith("/interaction/")) return this.#interact(this.#provider, request, response);
    if (path === "/token") changeBody(response, (body) => this.#sign(body));
    if (path === "/.well-known/openid-configuration" && this.issuerShown) {
      changeBody(response, (body) => ({ ...body, issuer: this.issuerShown }));
    }
    this.#provider.callback()(request, response);
  }

  /** The page on which a person types a password and agrees. */
  async #interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      const login = this.people.has(this.person)
        ? { login: { accountId: this.person } }
        : { error: "access_denied", error_description: "No is no" };
      return provider.interactionFinished(request, response, login);
    }
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: params.client_id });
    grant.addOIDCScope("openid profile email groups offline_access");
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { consent: { grantId } });
  }

  #account(id: string) {
    if (!this.people.has(id)) return undefined;
    return { accountId: id, claims: () => ({ sub: id, ...this.people.get(id) }) };
  }

  /** Signs the ID token with the key of the moment, after the test has changed it. */
  #sign(body: Record<string, unknown>): object {
    if (typeof body.id_token !== "string") return body;
    const claims = this.changeClaims(JSON.parse(decode(body.id_token.split(".")[1]!)));
    return { ...body, id_token: this.sign(claims, { typ: "JWT" }) };
  }

  /** A token by the key of the moment. */
  sign(claims: object, header: object): string {
    const { id, key } = this.#keys.at(-1)!;
    const parts = [{ alg: "RS256", kid: id, ...header }, claims].map((part) =>
      encode(JSON.stringify(part)),
    );
    const signature = createSign("RSA-SHA256")
      .update(parts.join("."))
      .sign(key)
      .toString("base64url");
    return [...parts, signature].join(".");
  }
}

const encode = (text: string) => Buffer.from(text).toString("base64url");
const decode = (text: string) => Buffer.from(text, "base64url").toString();

const newKey = (id: string): SigningKey => ({
  id,
  key: generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey,
});

function publicKey({ id, key }: SigningKey): object {
  const { n, e } = key.export({ format: "jwk" });
  return { kty: "RSA", use: "sig", alg: "RS256", kid: id, n, e };
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}

/** Changes the JSON that is sent as the response. */
function changeBody(
  response: ServerResponse,
  edit: (body: Record<string, unknown>) => object,
): void {
  const end = response.end.bind(response);
  response.end = ((text: string) => {
    const body = JSON.stringify(edit(JSON.parse(`${text}`)));
    response.setHeader("content-length", Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
}

/** It answers once `serve` is called. */
export async function startIdentityProvider(t: TestContext): Promise<IdentityProvider> {
  const server = createServer((request, response) => void provider.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addCleanup(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const provider = new IdentityProvider(`http://127.0.0.1:${port}`);
  return provider;
}
