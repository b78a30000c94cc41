// The preset for a team: settings that were not given become those with which others on the network reach every
// listener, under one public URL.

import { isIPv4 } from "node:net";
import { urlHost } from "../base/url-host.ts";
import { LARGEST_PORT } from "../domain/container/ports.ts";
import { overTls, readFiles } from "./certificate/tls-config.ts";
import { readAddress } from "./network/listen-address.ts";
import { isLoopbackHost, isWildcard, networkAddress } from "./network/public-address.ts";
import { dataFolderOf, type Given, settings } from "./settings.ts";

const USUAL_PORT = 8700;

type Derived = "listen" | "publicUrl" | "publicIp" | "proxyListen" | "s3Listen" | "sshListen";

/** The settings with the preset's in place of those that are not given; unchanged if it is off. */
export function withTeam(setting: Given, cwd: string, errors: string[]): Given {
  if (!isTeam(setting, errors)) return setting;
  const derived = deriveSettings(setting, cwd, errors);
  return (name) => setting(name) ?? (name in derived ? (derived[name as Derived] ?? null) : null);
}

export function isTeam(setting: Given, errors: string[]): boolean {
  const value = setting("team") ?? "off";
  if (["on", "true"].includes(value)) return true;
  if (!["off", "false"].includes(value)) {
    errors.push(`FREEHOLD_TEAM is "${value}"; it takes one of on, off`);
  }
  return false;
}

function deriveSettings(
  setting: Given,
  cwd: string,
  errors: string[],
): Partial<Record<Derived, string | null>> {
  const listen = setting("listen") ?? `0.0.0.0:${portOfUrl(setting) ?? USUAL_PORT}`;
  const usual = { host: "0.0.0.0", port: USUAL_PORT };
  // The reader of the setting reports what is wrong with it.
  const { host, port } = readAddress(settings.listen.variable, listen, usual, []);
  if (port === 0) {
    errors.push(
      `FREEHOLD_LISTEN is "${listen}", which takes any free port; FREEHOLD_TEAM needs one that links can name: 0.0.0.0:8700`,
    );
  }
  const tls = readFiles(setting("tls"), { cwd, dataFolder: dataFolderOf(setting, cwd) }, []);
  // An ACME server certifies a name that only the operator knows; its settings' reader asks for it.
  const publicUrl =
    setting("publicUrl") ??
    (tls?.issuer === "acme" ? null : overTls(tls, ownUrl({ host, port }, errors)));
  if (isLoopbackHost(hostOf(publicUrl))) {
    errors.push(
      `FREEHOLD_PUBLIC_URL is "${publicUrl}", which leads each of your team to their own computer; with ` +
        "FREEHOLD_TEAM it takes the address that others use, or none for this machine's",
    );
  }
  const beside = (offset: number) =>
    isLoopbackHost(host) || port + offset > LARGEST_PORT
      ? null
      : `${urlHost(host)}:${port + offset}`;
  return {
    listen,
    publicUrl,
    publicIp: publicIpOf(publicUrl, host),
    proxyListen: beside(1),
    s3Listen: beside(2),
    sshListen: beside(3),
  };
}

/** Null unless the service itself can be at the URL: a port that is not named is a reverse proxy's. */
function portOfUrl(setting: Given): number | null {
  const { protocol, port } = URL.parse(setting("publicUrl") ?? "") ?? { protocol: "", port: "" };
  const own = setting("tls") === null ? "http:" : "https:";
  return protocol === own && port !== "" ? Number(port) : null;
}

function ownUrl({ host, port }: { host: string; port: number }, errors: string[]): string | null {
  if (isLoopbackHost(host)) {
    errors.push(
      `FREEHOLD_LISTEN is "${host}:${port}", which only this machine reaches; with FREEHOLD_TEAM listen on ` +
        `0.0.0.0:${port}, or set FREEHOLD_PUBLIC_URL to the address of the reverse proxy in front`,
    );
    return null;
  }
  const address = isWildcard(host) ? networkAddress() : host;
  if (address !== null) return `http://${urlHost(address)}:${port}`;
  errors.push(
    "FREEHOLD_TEAM is on, and this machine has no IPv4 address on a network; set FREEHOLD_PUBLIC_URL to the address " +
      "that others use, such as http://cloud.example.org:8700",
  );
  return null;
}

/** Public ports of Pods are reached by an address, which a name in front of a reverse proxy does not give. */
function publicIpOf(publicUrl: string | null, host: string): string | null {
  const name = hostOf(publicUrl);
  if (isIPv4(name) && !isLoopbackHost(name)) return name;
  return isIPv4(host) && !isWildcard(host) && !isLoopbackHost(host) ? host : networkAddress();
}

const hostOf = (url: string | null) => (url !== null && URL.parse(url)?.hostname) || "";
