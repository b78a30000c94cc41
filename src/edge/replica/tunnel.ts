// Connections to ports of Pods on this machine, requested by another replica. The request is upgraded
// to a raw byte stream.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { Fault } from "../../domain/fault.ts";
import { dialHere } from "../../flows/pod/dial.ts";
import { notReached } from "../../flows/pod/reach.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import { TUNNEL, WHY_HEADER } from "../../flows/replica/tunnel.ts";
import type { ConnectionGuard } from "../http/connection/connection-guard.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";
import { endWithFault } from "../http/socket-fault.ts";
import { pipeBoth } from "../proxy/pipe.ts";

const PATH =
  /^\/replica\/machines\/([\w-]{1,64})\/pods\/([\w-]{1,64})\/drivers\/([a-z]{1,20})\/ports\/([1-9]\d{0,4})$/;

const SWITCHING_PROTOCOLS = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL}\r\n\r\n`;

export class Tunnels implements Upgrader {
  readonly #deps: LogSources;
  readonly #guard: ConnectionGuard;
  readonly #open = new Set<Duplex>();

  constructor(deps: LogSources, guard: ConnectionGuard) {
    this.#deps = deps;
    this.#guard = guard;
  }

  takesUpgrade({ headers }: IncomingMessage): boolean {
    return headers.upgrade === TUNNEL;
  }

  upgrade({ request, socket, head }: Upgrade): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    socket.on("error", () => {}); // a close event follows
    const fault = this.#faultOf(request);
    if (fault) return void endWithFault(socket, fault);
    this.#guard.identify(request.socket);
    void this.#begin(request.url!, socket, head);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #faultOf({ method = "", url = "", headers }: IncomingMessage): Fault | null {
    const { peers } = this.#deps;
    if (!peers.isPeer(headers.authorization ?? "", url)) return new Fault("unauthorized");
    if (PATH.test(url)) return null;
    return new Fault("route_not_found", { method, path: url.slice(0, 120) });
  }

  async #begin(url: string, socket: Duplex, head: Buffer): Promise<void> {
    const [, machine = "", id = "", driver = "", port] = PATH.exec(url)!;
    try {
      const connection = await dialHere(this.#deps, { id, machine, driver }, Number(port));
      if (socket.destroyed) return void connection.destroy();
      socket.write(SWITCHING_PROTOCOLS);
      if (head.length > 0) connection.write(head);
      pipeBoth(socket, connection);
    } catch (error) {
      const why = error instanceof NotReached ? error.why : "machine_away";
      endWithFault(socket, notReached(id, Number(port), why), { [WHY_HEADER]: why });
    }
  }
}
