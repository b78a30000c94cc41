// The sockets that the service listens on. A port that is taken fails with a sentence that says
// what to do.

import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { Refusal } from "../../base/refusal.ts";
import { overTls } from "../../config/certificate/tls-config.ts";
import type { Config } from "../../config/config.ts";
import { originOf, otherPort } from "../../config/network/listen-address.ts";
import { pathServer } from "../../edge/balancer/path-server.ts";
import type { SshAddress } from "../../edge/management/deps.ts";
import type { Service } from "./compose.ts";

/** The address at which this machine reaches the service, by plain http. */
export async function listen({ app }: Service, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw cannotListen(error, host, port, `--listen ${host}:${otherPort(port)}`);
  }
  return originOn(app.server, host, port);
}

export interface Paths {
  server: HttpServer;
  origin: string;
}

/** The address of the path-based proxy; null if it is off. */
export async function listenForPaths(
  { proxying: { proxy, balancer, listeners } }: Service,
  config: Config,
): Promise<Paths | null> {
  if (!config.proxyListen) return null;
  const server = pathServer({ proxy, balancer }, listeners);
  const own = await listenOrGiveWay(server, config.proxyListen, "--proxy-listen");
  const origin = overTls(config.tls, own);
  proxy.pathOrigin = origin;
  return { server, origin };
}

/** The address of the S3 interface; null if it is off. */
export async function listenForS3(
  { s3Server }: Pick<Service, "s3Server">,
  { s3Listen, tls }: Config,
): Promise<string | null> {
  if (!s3Listen) return null;
  return overTls(tls, await listenOrGiveWay(s3Server, s3Listen, "--s3-listen"));
}

/** The host and port of the SSH server; null if it is off. */
export async function listenForSsh(
  { sshServer }: Pick<Service, "sshServer">,
  { sshListen }: Config,
): Promise<SshAddress | null> {
  if (!sshListen) return null;
  await listenOrGiveWay(sshServer, sshListen, "--ssh-listen");
  return { host: sshListen.host, port: (sshServer.address() as AddressInfo).port };
}

/** A default port gives way to whatever uses it already; a configured one does not. */
async function listenOrGiveWay(
  server: Server,
  { host, port, chosen }: NonNullable<Config["s3Listen"]>,
  flag: string,
): Promise<string> {
  try {
    await bind(server, host, port).catch((error) => {
      if (chosen || error.code !== "EADDRINUSE") throw error;
      return bind(server, host, 0);
    });
  } catch (error) {
    const others = `${flag} ${host}:${port + 1}, or none: ${flag} off`;
    throw cannotListen(error, host, port, others);
  }
  return originOn(server, host, port);
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function originOn(server: Server, host: string, port: number): string {
  const address = server.address();
  return originOf({ host, port: typeof address === "object" && address ? address.port : port });
}

function cannotListen(error: unknown, host: string, port: number, fix: string): Refusal {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Refusal(
    code === "EADDRINUSE"
      ? `port ${port} on ${host} is taken; stop what uses it, or choose another: ${fix}`
      : `cannot listen on ${host}:${port}: ${message}`,
  );
}
