// The settings of the sign-in provider: a JSON object, and its secret, which no error repeats.

import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../base/json/is-object.ts";
import { parseJson } from "../base/json/parse.ts";
import { type Role, roles } from "../domain/member/roles.ts";
import type { OidcSettings, RoleRule } from "../domain/sign-in/oidc-settings.ts";

type Fields = Record<string, unknown>;

const NAMES = [
  "name",
  "issuer",
  "clientId",
  "clientSecretFile",
  "clientAuthentication",
  "scopes",
  "parameters",
  "groupsClaim",
  "groupsPrefix",
  "groups",
  "defaultRole",
  "endSsh",
];
const RULE_NAMES = ["group", "role", "account"];
const EXAMPLE = '{"issuer": "https://login.example.org", "clientId": "freehold"}';

const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;

/** What the service sends by itself. */
const OWN_PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
];

export interface OidcPlace {
  cwd: string;
  loopback: boolean;
  publicUrl: string | null;
}

/** Null without the setting. */
export function readOidc(
  setting: (name: "oidc" | "oidcSecret") => string | null,
  place: OidcPlace,
  errors: string[],
): OidcSettings | null {
  const [text, secret] = [setting("oidc"), setting("oidcSecret")];
  if (text === null) {
    if (secret !== null)
      errors.push(
        `FREEHOLD_OIDC_SECRET is set without FREEHOLD_OIDC, which takes a JSON object such as ${EXAMPLE}`,
      );
    return null;
  }
  const fields = readFields(text);
  if (!fields) {
    errors.push(`FREEHOLD_OIDC takes a JSON object such as ${EXAMPLE}`);
    return null;
  }
  refuseUnknown("oidc", fields, NAMES, errors);
  if (!place.loopback && place.publicUrl === null) {
    errors.push(
      "FREEHOLD_OIDC needs FREEHOLD_PUBLIC_URL, the address to which the provider leads back",
    );
  }
  const issuer = readIssuer(textIn(fields, "issuer", errors), errors);
  return {
    name: textIn(fields, "name", errors, "your organization"),
    issuer,
    clientId: textIn(fields, "clientId", errors),
    clientSecret: readSecret(secret, fields.clientSecretFile, place.cwd, errors),
    clientAuthentication: choiceIn(fields, "clientAuthentication", AUTHENTICATIONS, errors),
    scopes: readScopes(textIn(fields, "scopes", errors, "openid profile email"), errors),
    parameters: readParameters(fields.parameters, errors),
    endSsh: choiceIn(fields, "endSsh", { allowed: [true, false], usual: false }, errors),
    groupsClaim: textIn(fields, "groupsClaim", errors, "groups"),
    groupsPrefix: textIn(fields, "groupsPrefix", errors, ""),
    groups: readRules(fields.groups, errors),
    defaultRole:
      fields.defaultRole === undefined || fields.defaultRole === null
        ? null
        : choiceIn(fields, "defaultRole", { allowed: roles, usual: "basic" }, errors),
  };
}

function readFields(text: string): Fields | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function refuseUnknown(
  at: string,
  fields: Fields,
  names: readonly string[],
  errors: string[],
): void {
  for (const name of Object.keys(fields)) {
    if (!names.includes(name))
      errors.push(`${at} has no field "${name}"; there are ${names.join(", ")}`);
  }
}

/** A field without a usual value is required. */
function textIn(fields: Fields, name: string, errors: string[], usual?: string): string {
  const value = fields[name] ?? usual;
  if (typeof value === "string" && (value !== "" || usual === "")) return value;
  errors.push(value === undefined ? `oidc.${name} is missing` : `oidc.${name} takes a text`);
  return "";
}

interface Choice<Value> {
  allowed: readonly Value[];
  usual: Value;
}

const AUTHENTICATIONS: Choice<OidcSettings["clientAuthentication"]> = {
  allowed: ["post", "basic"],
  usual: "post",
};

function choiceIn<const Value extends string | boolean>(
  fields: Fields,
  name: string,
  { allowed, usual }: Choice<Value>,
  errors: string[],
): Value {
  const value = fields[name] ?? usual;
  const match = allowed.find((each) => each === value);
  if (match === undefined)
    errors.push(`oidc.${name} is ${JSON.stringify(value)}; it takes one of ${allowed.join(", ")}`);
  return match ?? usual;
}

/** Takes https, since a machine on the way to a provider without TLS could sign in as any person. */
function readIssuer(issuer: string, errors: string[]): string {
  if (issuer === "") return issuer;
  const url = URL.parse(issuer);
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!isSafe || url.search !== "" || url.hash !== "" || url.username !== "") {
    errors.push(
      `oidc.issuer is "${issuer}"; it takes the https URL that the provider calls its issuer`,
    );
  }
  return issuer;
}

function readSecret(
  secret: string | null,
  file: unknown,
  cwd: string,
  errors: string[],
): string | null {
  if (file === undefined || file === null) return secret;
  if (secret !== null) {
    errors.push("oidc.clientSecretFile and FREEHOLD_OIDC_SECRET are both set; remove one of them");
    return secret;
  }
  if (typeof file !== "string" || file === "") {
    errors.push("oidc.clientSecretFile takes the path of a file");
    return null;
  }
  try {
    const text = readFileSync(path.resolve(cwd, file), "utf8").trim();
    if (text === "") errors.push(`oidc.clientSecretFile is "${file}", which is empty`);
    return text;
  } catch (error) {
    errors.push(`oidc.clientSecretFile cannot be read: ${(error as Error).message}`);
    return null;
  }
}

function readScopes(scopes: string, errors: string[]): string {
  if (!scopes.split(" ").includes("openid")) {
    errors.push(
      `oidc.scopes is "${scopes}"; it takes names with spaces between them, among them openid`,
    );
  }
  return scopes;
}

function readParameters(parameters: unknown, errors: string[]): Record<string, string> {
  if (parameters === undefined) return {};
  const texts = isObject(parameters) ? Object.entries(parameters) : [];
  if (!isObject(parameters) || texts.some(([, value]) => typeof value !== "string")) {
    errors.push('oidc.parameters takes an object of texts such as {"prompt": "consent"}');
    return {};
  }
  for (const [name] of texts) {
    if (OWN_PARAMETERS.includes(name))
      errors.push(`oidc.parameters has "${name}", which the service sends by itself`);
  }
  return parameters as Record<string, string>;
}

function readRules(value: unknown, errors: string[]): RoleRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    errors.push('oidc.groups takes a list such as [{"group": "ml", "role": "dev"}]');
    return [];
  }
  const rules = value.map((each, index) => readRule(each, `oidc.groups[${index}]`, errors));
  for (const [index, { group, account, role }] of rules.entries()) {
    const other = rules
      .slice(0, index)
      .find((each) => each.group === group && each.account === account);
    if (!other || group === "") continue;
    errors.push(
      `oidc.groups has "${group}" twice for one account, as ${other.role} and as ${role}; remove one of them`,
    );
  }
  return rules;
}

function readRule(fields: Fields, at: string, errors: string[]): RoleRule {
  refuseUnknown(at, fields, RULE_NAMES, errors);
  const { group, role, account = null } = fields;
  if (typeof group !== "string" || group === "")
    errors.push(`${at}.group takes the name of a group`);
  if (!roles.includes(role as Role))
    errors.push(`${at}.role is ${JSON.stringify(role)}; it takes one of ${roles.join(", ")}`);
  if (account !== null && (typeof account !== "string" || account === "")) {
    errors.push(`${at}.account takes the id or the name of an account`);
  }
  return { group: group as string, role: role as Role, account: account as string | null };
}
