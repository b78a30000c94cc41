// The check of what other computers reach: each address is resolved and called as they do it, by its public name.

import { lookup } from "node:dns/promises";
import { connect, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { urlHost } from "../../../base/url-host.ts";
import { readRoot } from "../../../config/certificate/own-files.ts";
import type { HomeConfig } from "../../../config/home-config.ts";
import { isLoopbackHost, networkAddress } from "../../../config/network/public-address.ts";
import type { Entrance, ReachedFromOutside } from "../../../config/reach/entrances.ts";
import { ENTRANCES_FILE } from "../../../installation/data-folder.ts";
import { textOf } from "../../client/running-service.ts";
import { LONGEST_CHECK_MS } from "../brief-request.ts";
import type { Finding } from "../finding.ts";
import { checkFirewall } from "./firewall.ts";

type Probe = NonNullable<Entrance["probe"]>;

const DOCS = "see docs/team.md";

/** Empty if the service does not run, or only this machine is to reach it. */
export async function checkReach(config: HomeConfig): Promise<Finding[]> {
  const { entrances, ports, tls } = readReached(config);
  if (entrances.length === 0) return [];
  // Clients that installed the root are asked for here.
  const root = tls?.issuer === "local" ? readRoot(config.dataFolder) : null;
  if (root !== null) setDefaultCACertificates([...getCACertificates("default"), root]);
  const each = await Promise.all(entrances.map((entrance) => checkEntrance(entrance)));
  return [...each.flat(), ...(await checkFirewall(ports))];
}

/** The running service wrote it. */
export function readReached(config: HomeConfig): ReachedFromOutside {
  const text = textOf(config, ENTRANCES_FILE);
  const nothing = { entrances: [], ports: [], tls: null, publicUrl: null };
  return text === null ? nothing : { ...nothing, ...JSON.parse(text) };
}

async function checkEntrance({ name, address, problem, probe }: Entrance): Promise<Finding[]> {
  const about = `reach ${name}`;
  if (address === null) {
    const says = `other computers do not reach it: ${problem?.split("; ")[0]}`;
    return [{ level: "warn", about, says, fix: problem?.split("; ")[1] ?? DOCS }];
  }
  if (!probe) return [];
  const host = probe.host.replace("<any>", "freehold-doctor");
  const resolution = await resolve({ ...probe, host });
  if ("finding" in resolution) return [{ about, ...resolution.finding }];
  const failure = await (probe.protocol === "ssh:"
    ? sshAnswer(host, probe.port)
    : httpAnswer(name, { ...probe, host }));
  if (failure === null) return [{ level: "ok", about, says: `${address} answers` }];
  if (isUntrusted(failure)) {
    const says = `${address} answers, with a certificate that this machine does not trust: ${failure}`;
    return [
      { level: "warn", about, says, fix: "install its root in each client: see docs/tls.md" },
    ];
  }
  const says = `${address} does not answer: ${failure}`;
  const fix = resolution.isOwn
    ? DOCS
    : `${resolution.address} is not this machine: pass port ${probe.port} of it on to this one, or correct the DNS record`;
  // A router may lead others to this machine and not the machine itself.
  return [{ level: resolution.isOwn ? "fail" : "warn", about, says, fix }];
}

type Resolution =
  | { address: string; isOwn: boolean }
  | { finding: Omit<Finding, "about"> & { fix: string } };

/** Where a name leads. One that leads to loopback here may lead others elsewhere or nowhere. */
async function resolve({ host }: Probe): Promise<Resolution> {
  const record = `${host.replace("freehold-doctor", "*")} A ${networkAddress() ?? "<address>"}`;
  const address = isIP(host)
    ? host
    : await lookup(host).then(
        (answer) => answer.address,
        () => null,
      );
  if (address === null) {
    const says = `the name ${host.replace("freehold-doctor", "*")} leads nowhere`;
    return { finding: { level: "fail", says, fix: `add the DNS record ${record}` } };
  }
  if (isLoopbackHost(address)) {
    const says = `the name ${host} leads to ${address}, which is each computer itself`;
    const fix = `take it out of /etc/hosts, and add the DNS record ${record}`;
    return { finding: { level: "fail", says, fix } };
  }
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return { address, isOwn: own.some((each) => each.address === address) };
}

/** What Freehold says at /healthz of each listener. An S3 interface refuses it in XML. */
const OWN_ANSWERS: Partial<Record<Entrance["name"], RegExp>> = {
  console: /"status":"ok"/,
  Pods: /no_such_site/,
};

/** Null if Freehold answers there, otherwise why it does not. */
async function httpAnswer(
  name: Entrance["name"],
  { protocol, host, port }: Probe,
): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(LONGEST_CHECK_MS);
    const answer = await fetch(`${protocol}//${urlHost(host)}:${port}/healthz`, { signal });
    const isOwn = OWN_ANSWERS[name]?.test(await answer.text()) ?? true;
    return isOwn ? null : "something else than this Freehold is there";
  } catch (error) {
    const { cause, message } = error as Error;
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
  }
}

/** OpenSSL's reasons: the server answered, and its certificate was not accepted. */
const isUntrusted = (code: string) => /CERT_|_CERT|UNABLE_TO_/.test(code);

function sshAnswer(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: LONGEST_CHECK_MS });
    const end = (failure: string | null) => {
      socket.destroy();
      done(failure);
    };
    socket.once("data", (data) =>
      end(data.toString("latin1").startsWith("SSH-") ? null : "no SSH server is there"),
    );
    socket.once("timeout", () => end("no answer in time"));
    socket.once("close", () => end("the connection was closed"));
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
  });
}
