// A provider that sends logouts to the service, and logout tokens as it would send them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { CLIENT, type IdentityProvider } from "./identity-provider.ts";
import { ada, type Scene, startScene } from "./scene.ts";

const PATH = "/oidc/back-channel-logout";
export const EVENT = "http://schemas.openid.net/event/backchannel-logout";
export const nowS = () => Math.floor(Date.now() / 1_000);

/** A provider that sends logouts to the service. */
export async function startLogoutScene(...options: Parameters<typeof startScene>): Promise<Scene> {
  const scene = await startScene(...options);
  const { service, idp } = scene;
  idp.serve(service.origin, {
    backchannel_logout_uri: service.origin + PATH,
    backchannel_logout_session_required: true,
  });
  idp.people.set("u1", ada);
  return scene;
}

export function logoutToken(
  idp: IdentityProvider,
  changes: object = {},
  header: object = {},
): string {
  const claims = {
    iss: idp.origin,
    aud: CLIENT.id,
    sub: "u1",
    jti: randomUUID(),
    iat: nowS(),
    exp: nowS() + 120,
    events: { [EVENT]: {} },
  };
  return idp.sign({ ...claims, ...changes }, { typ: "logout+jwt", ...header });
}

interface Answer {
  status: number;
  /** Null without a body. */
  json: Record<string, string> | null;
}

export async function postLogout(origin: string, body: URLSearchParams | string): Promise<Answer> {
  const response = await fetch(origin + PATH, { method: "POST", body });
  const text = await response.text();
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { status: response.status, json: text === "" ? null : JSON.parse(text) };
}

export const sendLogout = ({ service }: Pick<Scene, "service">, token: string) =>
  postLogout(service.origin, new URLSearchParams({ logout_token: token }));
