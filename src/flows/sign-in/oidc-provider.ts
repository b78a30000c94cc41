// The organization's OpenID Connect provider: the address of its sign-in page, and the exchange of codes and refresh
// tokens for claims whose signatures are checked. The provider is discovered at its first use, so that a start does not
// depend on it.

import type { Configuration, ServerMetadata } from "openid-client";
import { type Clock, Deadline, systemClock } from "../../base/clock.ts";
import { HOUR_MS } from "../../base/units.ts";
import { CLOCK_TOLERANCE_S, futureS, skewS, staleKeysAt } from "../../domain/sign-in/clock-skew.ts";
import { type Claims, groupsIn } from "../../domain/sign-in/decide-role.ts";
import { LogoutRefusal } from "../../domain/sign-in/logout-refusal.ts";
import type { SignedToken } from "../../domain/sign-in/logout-token.ts";
import type { OidcSettings } from "../../domain/sign-in/oidc-settings.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { isRefusedCaller, problemOf, usedCodeProblem } from "./provider-errors.ts";
import { ProviderKeys } from "./provider-keys.ts";
import { verifySignature } from "./verify-signature.ts";

type Library = typeof import("openid-client");
type Tokens = Pick<
  Awaited<ReturnType<Library["refreshTokenGrant"]>>,
  "access_token" | "id_token" | "refresh_token" | "claims"
>;

const TIMEOUT_S = 10;
const METADATA_MS = HOUR_MS;

/** What binds the provider's answer to the browser that asked. */
export interface ProviderRequest {
  state: string;
  nonce: string;
  /** The PKCE verifier. */
  verifier: string;
}

export interface ProviderAnswer {
  subject: string;
  /** The id of the session at the provider; null if it named none. */
  session: string | null;
  claims: Claims;
  /** Null if the provider gave none. */
  refreshToken: string | null;
}

export class OidcProvider {
  readonly settings: OidcSettings;
  readonly #clock: Clock;
  #server: { metadata: ServerMetadata; until: Deadline } | null = null;
  #discovering: Promise<ServerMetadata> | null = null;
  readonly #keys: ProviderKeys;

  constructor(settings: OidcSettings, clock: Clock) {
    this.settings = settings;
    this.#clock = clock;
    this.#keys = new ProviderKeys(clock);
  }

  /** Throws a SignInProblem, as the other methods do. */
  async begin(redirectUri: string): Promise<{ url: string; request: ProviderRequest }> {
    return this.#with(async (library, config) => {
      const [state, nonce] = [library.randomState(), library.randomNonce()];
      const verifier = library.randomPKCECodeVerifier();
      const url = library.buildAuthorizationUrl(config, {
        ...this.settings.parameters,
        redirect_uri: redirectUri,
        scope: this.settings.scopes,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, request: { state, nonce, verifier } };
    });
  }

  /** `callbackUrl` is the address to which the provider sent the browser. */
  async exchange(callbackUrl: URL, request: ProviderRequest): Promise<ProviderAnswer> {
    return this.#with(async (library, config) => {
      const checks = {
        expectedState: request.state,
        expectedNonce: request.nonce,
        pkceCodeVerifier: request.verifier,
        idTokenExpected: true,
      };
      const tokens = await library
        .authorizationCodeGrant(config, callbackUrl, checks)
        .catch((error) => {
          throw usedCodeProblem(error) ?? error;
        });
      const claims = tokens.claims()!; // the library requires the ID token
      this.#refuseFuture(claims.iat);
      return this.#answerOf(library, config, tokens, claims.sub);
    });
  }

  /** Asks for the claims of a person again. A problem with the code "denied" means that the provider withdrew the sign-in. */
  async refresh(refreshToken: string, subject: string): Promise<ProviderAnswer> {
    return this.#with(async (library, config) => {
      const tokens = await library.refreshTokenGrant(config, refreshToken);
      const claims = tokens.claims();
      if (claims && claims.sub !== subject) {
        throw new SignInProblem(
          "denied",
          "the provider's refresh token now belongs to another person",
        );
      }
      const answer = await this.#answerOf(library, config, tokens, subject);
      return { ...answer, refreshToken: answer.refreshToken ?? refreshToken };
    });
  }

  /**
   * Checks the signature of a token that the provider sent by itself. The issuer is named as the provider names it. Throws a
   * LogoutRefusal too.
   */
  async verify(token: string): Promise<SignedToken & { issuerName: string }> {
    try {
      const { issuer, jwks_uri } = await this.#discover(await import("openid-client"));
      if (!this.#isPlain() && !jwks_uri?.startsWith("https:")) {
        throw new SignInProblem("invalid_answer", "the provider's jwks_uri is no https address");
      }
      return { issuerName: issuer, ...(await verifySignature(token, this.#keys, jwks_uri)) };
    } catch (error) {
      throw error instanceof LogoutRefusal ? error : problemOf(error);
    }
  }

  /** The ID token's claims come first; userinfo has what some providers leave out of it. */
  async #answerOf(
    library: Library,
    config: Configuration,
    tokens: Tokens,
    subject: string,
  ): Promise<ProviderAnswer> {
    const idClaims: Claims = { ...tokens.claims() };
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo =
      hasUserInfo && !this.#isComplete(idClaims)
        ? await library.fetchUserInfo(config, tokens.access_token, subject).catch((error) => {
            // An access token for another service cannot read it; the ID token still stands for the person.
            if (isRefusedCaller(error) && tokens.id_token !== undefined) return {};
            throw error;
          })
        : {};
    const claims = { ...userInfo, ...idClaims };
    const session = typeof idClaims.sid === "string" ? idClaims.sid : null;
    return { subject, session, claims, refreshToken: tokens.refresh_token ?? null };
  }

  #isComplete(claims: Claims): boolean {
    const { groups, groupsClaim } = this.settings;
    const hasGroups = groups.length === 0 || groupsIn(claims, groupsClaim) !== null;
    return hasGroups && claims.email !== undefined && claims.name !== undefined;
  }

  /** The library checks when a token expires, and not that it was issued before now. */
  #refuseFuture(issuedAtS: number): void {
    const aheadS = futureS(issuedAtS, this.#clock.now());
    if (aheadS === null) return;
    const message = `the clocks differ: the provider issued a token ${aheadS} s in the future; set this machine's clock by NTP`;
    throw new SignInProblem("clock_skew", message);
  }

  async #with<Result>(
    work: (library: Library, config: Configuration) => Promise<Result>,
  ): Promise<Result> {
    const library = await import("openid-client");
    try {
      const config = await this.#configure(library);
      try {
        return await work(library, config);
      } finally {
        const keys = library.getJwksCache(config);
        // Keys that were passed in look older than those that were read just now.
        if (keys && keys.uat > staleKeysAt(systemClock.now())) this.#keys.keep(keys.jwks);
      }
    } catch (error) {
      throw problemOf(error);
    }
  }

  async #configure(library: Library): Promise<Configuration> {
    const { clientId, clientSecret, clientAuthentication } = this.settings;
    const metadata = await this.#discover(library);
    const authentication = { post: library.ClientSecretPost, basic: library.ClientSecretBasic };
    const client = {
      [library.clockSkew]: skewS(this.#clock.now(), systemClock.now()),
      [library.clockTolerance]: CLOCK_TOLERANCE_S,
    };
    const config = new library.Configuration(
      metadata,
      clientId,
      client,
      clientSecret === null ? library.None() : authentication[clientAuthentication](clientSecret),
    );
    config.timeout = TIMEOUT_S;
    library.enableNonRepudiationChecks(config);
    if (this.#isPlain()) library.allowInsecureRequests(config);
    const jwks = this.#keys.current;
    if (jwks) library.setJwksCache(config, { jwks, uat: staleKeysAt(systemClock.now()) });
    return config;
  }

  /** Callers at once share one request: anyone can send a token that needs it. */
  #discover(library: Library): ServerMetadata | Promise<ServerMetadata> {
    if (this.#server && !this.#server.until.isOver()) return this.#server.metadata;
    this.#discovering ??= this.#readMetadata(library).finally(() => {
      this.#discovering = null;
    });
    return this.#discovering;
  }

  async #readMetadata(library: Library): Promise<ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const config = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
      timeout: TIMEOUT_S,
      execute: this.#isPlain() ? [library.allowInsecureRequests] : [],
    });
    const metadata = config.serverMetadata();
    this.#server = { metadata, until: new Deadline(this.#clock, METADATA_MS) };
    return metadata;
  }

  /** The configuration allows it on loopback only. */
  #isPlain(): boolean {
    return this.settings.issuer.startsWith("http:");
  }
}
