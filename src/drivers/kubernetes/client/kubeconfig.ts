// Reads a kubeconfig: the address and the credentials of one cluster. Only credentials that are in the text are
// accepted. A path or a command would be read or run on the machine of the service.

import { createPrivateKey, X509Certificate } from "node:crypto";

/** How to reach a cluster, and as whom. */
export interface ClusterAccess {
  context: string;
  /** https://HOST:PORT, with a path if the cluster is behind one. */
  server: string;
  /** The certificate authority of the API server, in PEM form; null for the public ones. */
  ca: string | null;
  /** The name in the API server's certificate; null if it is the server's host name. */
  serverName: string | null;
  /** The client certificate and its key, in PEM form. */
  certificate: { cert: string; key: string } | null;
  /** A function returns the token of the moment. */
  token: string | (() => string) | null;
}

/** The message is a sentence for the operator and repeats no credential. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

type Fields = Record<string, unknown>;

const MAX_CHARS = 1_048_576;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** `context` null selects the current context. Rejects with KubeconfigError. */
export async function readKubeconfig(
  text: string,
  context: string | null,
  now: number,
): Promise<ClusterAccess> {
  const config = await parse(text);
  const name = context ?? textOf(config, "current-context");
  if (name === null) {
    throw new KubeconfigError("The kubeconfig has no current-context; name a context.");
  }
  const selected = entryOf(config, "contexts", "context", name);
  const [clusterName, userName] = ["cluster", "user"].map((key) => {
    const found = textOf(selected, key);
    if (found !== null) return found;
    throw new KubeconfigError(`The context ${quote(name)} of the kubeconfig names no ${key}.`);
  });
  const cluster = entryOf(config, "clusters", "cluster", clusterName!);
  const user = entryOf(config, "users", "user", userName!);
  refuseUnsupported(cluster, user);
  return {
    context: name,
    server: serverOf(cluster),
    ca: pemOf(cluster, "certificate-authority-data"),
    serverName: textOf(cluster, "tls-server-name"),
    ...credentialsOf(user, userName!, now),
  };
}

async function parse(text: string): Promise<Fields> {
  if (text.length > MAX_CHARS) throw new KubeconfigError("The kubeconfig is larger than 1 MiB.");
  const { load } = await import("js-yaml");
  let config: unknown;
  try {
    config = text.trim() === "" ? null : load(text);
  } catch (error) {
    // The parser's message quotes the text, which may be a key.
    const { mark } = error as { mark?: { line?: number } };
    const where = mark?.line === undefined ? "" : ` (line ${mark.line + 1})`;
    throw new KubeconfigError(`The kubeconfig is not valid YAML${where}.`);
  }
  if (!isFields(config) || config.kind !== "Config") {
    throw new KubeconfigError("This is not a kubeconfig: it has no `kind: Config`.");
  }
  return config;
}

/** The entry with a name, of a list such as `clusters: [{ name, cluster: {...} }]`. */
function entryOf(config: Fields, list: string, key: string, name: string): Fields {
  const entries = Array.isArray(config[list]) ? (config[list] as unknown[]) : [];
  const entry = entries.find((each) => isFields(each) && each.name === name) as Fields | undefined;
  if (entry && isFields(entry[key])) return entry[key];
  const names = entries.flatMap((each) => (isFields(each) ? [String(each.name)] : []));
  throw new KubeconfigError(
    `The kubeconfig has no ${key} ${quote(name)}; its ${list} are: ${names.join(", ") || "none"}.`,
  );
}

/** What would need a file, a command or an unverified connection. */
const UNSUPPORTED: readonly [section: "cluster" | "user", key: string, fix: string][] = [
  ["user", "exec", "runs a command to get credentials; use the token of a service account instead"],
  ["user", "auth-provider", "is no longer supported; use the token of a service account instead"],
  ["user", "username", "is no longer supported; use a client certificate or a token instead"],
  ["cluster", "proxy-url", "is not supported; name the API server's own address"],
  [
    "cluster",
    "insecure-skip-tls-verify",
    "would send credentials to an unverified server; set certificate-authority-data instead",
  ],
  ...(
    [
      ["cluster", "certificate-authority"],
      ["user", "client-certificate"],
      ["user", "client-key"],
      ["user", "tokenFile"],
    ] as const
  ).map(([section, key]): [typeof section, string, string] => [
    section,
    key,
    "names a file; embed it with `kubectl config view --flatten --minify --raw`",
  ]),
];

function refuseUnsupported(cluster: Fields, user: Fields): void {
  for (const [section, key, fix] of UNSUPPORTED) {
    const value = { cluster, user }[section][key];
    if (value === undefined || value === null || value === false || value === "") continue;
    throw new KubeconfigError(`\`${key}\` in the kubeconfig ${fix}.`);
  }
}

function serverOf(cluster: Fields): string {
  const text = textOf(cluster, "server") ?? "";
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (url && isSafe && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/$/, "");
  }
  throw new KubeconfigError(
    `\`server\` in the kubeconfig is ${quote(text)}; it must be an https:// address.`,
  );
}

function credentialsOf(
  user: Fields,
  name: string,
  now: number,
): Pick<ClusterAccess, "certificate" | "token"> {
  const cert = pemOf(user, "client-certificate-data");
  const key = pemOf(user, "client-key-data");
  const token = textOf(user, "token")?.trim() || null;
  if ((cert === null) !== (key === null)) {
    const missing = cert === null ? "client-certificate-data" : "client-key-data";
    throw new KubeconfigError(`The user ${quote(name)} of the kubeconfig has no \`${missing}\`.`);
  }
  if (cert === null && token === null) {
    throw new KubeconfigError(
      `The user ${quote(name)} of the kubeconfig has neither a token nor a client certificate.`,
    );
  }
  if (cert !== null) requireValidPair(cert, key!, name, now);
  return { certificate: cert === null ? null : { cert, key: key! }, token };
}

function requireValidPair(cert: string, key: string, user: string, now: number): void {
  const whose = `The client certificate of the user ${quote(user)} of the kubeconfig`;
  const certificate = orRefuse(() => new X509Certificate(cert), `${whose} cannot be read.`);
  const privateKey = orRefuse(
    () => createPrivateKey(key),
    `The client key of the user ${quote(user)} of the kubeconfig cannot be read.`,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new KubeconfigError(`${whose} does not belong to its client key.`);
  }
  if (Date.parse(certificate.validTo) > now) return;
  throw new KubeconfigError(
    `${whose} expired on ${new Date(certificate.validTo).toISOString().slice(0, 10)}.`,
  );
}

/** The text in PEM form of a field in base64; null if the field is absent. */
function pemOf(fields: Fields, key: string): string | null {
  const encoded = textOf(fields, key);
  if (encoded === null) return null;
  const pem = Buffer.from(encoded, "base64").toString("utf8");
  if (pem.includes("-----BEGIN ")) return pem;
  throw new KubeconfigError(`\`${key}\` in the kubeconfig is not a PEM text in base64.`);
}

function textOf(fields: Fields, key: string): string | null {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function orRefuse<T>(read: () => T, refusal: string): T {
  try {
    return read();
  } catch {
    throw new KubeconfigError(refusal);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A name for a sentence: short, without control characters. */
const quote = (text: string) => JSON.stringify(text.slice(0, 80));
