// Another replica wants a connection to a port of a Pod on this machine: its request is upgraded, and
// then carries the bytes as they are.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import type { LogSources } from "../../flows/log/source.ts";
import { dialHere } from "../../flows/pod/dial.ts";
import { notReached } from "../../flows/pod/reach.ts";
import { TUNNEL, WHY_HEADER } from "../../flows/replica/tunnel.ts";
import { refuseOn } from "../http/broken-http.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";
import { passThrough } from "../proxy/pass-through.ts";

const PATH =
  /^\/replica\/machines\/([\w-]{1,64})\/pods\/([\w-]{1,64})\/drivers\/([a-z]{1,20})\/ports\/([1-9]\d{0,4})$/;

const AGREED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL}\r\n\r\n`;

export class Tunnels implements Upgrader {
  readonly #deps: LogSources;
  readonly #open = new Set<Duplex>();

  constructor(deps: LogSources) {
    this.#deps = deps;
  }

  takesUpgrade({ headers }: IncomingMessage): boolean {
    return headers.upgrade === TUNNEL;
  }

  upgrade({ request, socket, head }: Upgrade): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    socket.on("error", () => {}); // its close follows
    const refusal = this.#refusalOf(request);
    if (refusal) refuseOn(socket, refusal);
    else void this.#begin(request.url!, socket, head);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #refusalOf({ method = "", url = "", headers }: IncomingMessage): Fault | null {
    const { neighbours } = this.#deps;
    if (!neighbours.admit(headers.authorization ?? "", url)) return new Fault("unauthorized");
    if (PATH.test(url)) return null;
    return new Fault("route_not_found", { method, path: url.slice(0, 120) });
  }

  async #begin(url: string, socket: Duplex, head: Buffer): Promise<void> {
    const [, machine = "", id = "", driver = "", port] = PATH.exec(url)!;
    try {
      const connection = await dialHere(this.#deps, { id, machine, driver }, Number(port));
      if (socket.destroyed) return void connection.destroy();
      socket.write(AGREED);
      if (head.length > 0) connection.write(head);
      passThrough(socket, connection);
    } catch (error) {
      const why = error instanceof NotReached ? error.why : "machine_away";
      refuseOn(socket, notReached(id, Number(port), why), { [WHY_HEADER]: why });
    }
  }
}
