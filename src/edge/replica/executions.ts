// Another replica runs a command in a Pod on this machine, for a client of its own.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import type { LogSources } from "../../flows/log/source.ts";
import { execHere } from "../../flows/pod/exec.ts";
import { wishIn } from "../../flows/replica/remote-execution.ts";
import { WHY_HEADER } from "../../flows/replica/tunnel.ts";
import { becomeExecution, executionServer } from "../exec/session.ts";
import { refuseOn } from "../http/broken-http.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";

const PATH =
  /^\/replica\/machines\/([\w-]{1,64})\/pods\/([\w-]{1,64})\/drivers\/([a-z]{1,20})\/exec\?(.+)$/;

export class Executions implements Upgrader {
  readonly #deps: LogSources;
  readonly #server = executionServer();
  readonly #closed = new AbortController();

  constructor(deps: LogSources) {
    this.#deps = deps;
  }

  takesUpgrade({ headers, url = "" }: IncomingMessage): boolean {
    return headers.upgrade?.toLowerCase() === "websocket" && PATH.test(url);
  }

  upgrade(upgrade: Upgrade): void {
    const { url = "", headers } = upgrade.request;
    upgrade.socket.on("error", () => {}); // its close follows
    if (this.#deps.neighbours.admit(headers.authorization ?? "", url)) {
      return void this.#begin(url, upgrade);
    }
    refuseOn(upgrade.socket, new Fault("unauthorized"));
  }

  close(): void {
    this.#closed.abort();
  }

  async #begin(url: string, upgrade: Upgrade): Promise<void> {
    const [, machine = "", id = "", driver = "", query = ""] = PATH.exec(url)!;
    try {
      const wish = wishIn(new URLSearchParams(query));
      const execution = await execHere(this.#deps, { id, machine, driver }, wish);
      becomeExecution(this.#server, upgrade, execution, this.#closed.signal);
    } catch (error) {
      refuse(upgrade.socket, id, error);
    }
  }
}

function refuse(socket: Duplex, id: string, error: unknown): void {
  const why = error instanceof ExecRefused && { [WHY_HEADER]: encodeURIComponent(error.message) };
  refuseOn(socket, new Fault("worker_unreachable", { id }), why || {});
}
