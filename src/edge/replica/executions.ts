// Commands in Pods on this machine, requested by another replica for its client.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { Fault } from "../../domain/fault.ts";
import { execHere } from "../../flows/pod/exec.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import { requestIn } from "../../flows/replica/remote-execution.ts";
import { WHY_HEADER } from "../../flows/replica/tunnel.ts";
import type { ConnectionGuard } from "../http/connection/connection-guard.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";
import { endWithFault } from "../http/socket-fault.ts";
import { executionServer, serveExecution } from "../proxy/execution-socket.ts";

const PATH =
  /^\/replica\/machines\/([\w-]{1,64})\/pods\/([\w-]{1,64})\/drivers\/([a-z]{1,20})\/exec\?(.+)$/;

export class Executions implements Upgrader {
  readonly #deps: LogSources;
  readonly #guard: ConnectionGuard;
  readonly #server = executionServer();
  readonly #closed = new AbortController();

  constructor(deps: LogSources, guard: ConnectionGuard) {
    this.#deps = deps;
    this.#guard = guard;
  }

  takesUpgrade({ headers, url = "" }: IncomingMessage): boolean {
    return headers.upgrade?.toLowerCase() === "websocket" && PATH.test(url);
  }

  upgrade(upgrade: Upgrade): void {
    const { url = "", headers } = upgrade.request;
    upgrade.socket.on("error", () => {}); // a close event follows
    if (this.#deps.peers.isPeer(headers.authorization ?? "", url)) {
      this.#guard.identify(upgrade.request.socket);
      return void this.#begin(url, upgrade);
    }
    endWithFault(upgrade.socket, new Fault("unauthorized"));
  }

  close(): void {
    this.#closed.abort();
  }

  async #begin(url: string, upgrade: Upgrade): Promise<void> {
    const [, machine = "", id = "", driver = "", query = ""] = PATH.exec(url)!;
    try {
      const execRequest = requestIn(new URLSearchParams(query));
      const execution = await execHere(this.#deps, { id, machine, driver }, execRequest);
      serveExecution(this.#server, upgrade, execution, this.#closed.signal);
    } catch (error) {
      refuse(upgrade.socket, id, error);
    }
  }
}

function refuse(socket: Duplex, id: string, error: unknown): void {
  const why = error instanceof ExecRefused && { [WHY_HEADER]: encodeURIComponent(error.message) };
  endWithFault(socket, new Fault("worker_unreachable", { id }), why || {});
}
