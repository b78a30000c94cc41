// What clients exchange with the workloads of a machine through this service: bytes of connections to their ports,
// and whether commands in them had input. In memory; who reads it decides about idle Pods.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Execution } from "../../drivers/driver.ts";
import { TerminalOutput } from "./terminal-output.ts";

export class Traffic {
  readonly #open = new Map<string, Set<Counted>>();
  readonly #closedBytes = new Map<string, number>();
  readonly #input = new Set<string>();
  readonly #terminals = new Map<string, Set<TerminalOutput>>();

  watch(id: string, connection: Duplex): Duplex {
    const counted = connection instanceof Socket ? connection : countingOf(connection);
    const connections = this.#open.get(id) ?? new Set();
    this.#open.set(id, connections.add(counted));
    connection.once("close", () => {
      connections.delete(counted);
      if (connections.size === 0) this.#open.delete(id);
      this.#closedBytes.set(id, (this.#closedBytes.get(id) ?? 0) + bytesOf(counted));
    });
    return connection;
  }

  /** The start of a command is input too. */
  watchInput(id: string, execution: Execution): Execution {
    this.#input.add(id);
    const write = execution.write.bind(execution);
    return Object.assign(execution, {
      write: (bytes: Buffer) => {
        this.#input.add(id);
        return write(bytes);
      },
    });
  }

  /** Its output may have lines of `say` in it. */
  watchTerminal(id: string, execution: Execution): Execution {
    const terminals = this.#terminals.get(id) ?? new Set();
    this.#terminals.set(id, terminals);
    const { output } = new TerminalOutput(execution.output, terminals);
    return Object.assign(execution, { output });
  }

  /** Writes a line to the open terminals of a workload, as `wall` does. */
  say(id: string, line: string): void {
    for (const terminal of this.#terminals.get(id) ?? []) terminal.say(line);
  }

  /** All bytes of a workload's connections so far. */
  bytesOf(id: string): number {
    const open = [...(this.#open.get(id) ?? [])];
    return open.reduce((sum, each) => sum + bytesOf(each), this.#closedBytes.get(id) ?? 0);
  }

  /** Whether there was input since the last call. */
  takeInput(id: string): boolean {
    return this.#input.delete(id);
  }

  /** Forgets workloads that are gone. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#closedBytes.keys()) if (!ids.has(id)) this.#closedBytes.delete(id);
    for (const id of this.#terminals.keys()) if (!ids.has(id)) this.#terminals.delete(id);
    for (const id of this.#input) if (!ids.has(id)) this.#input.delete(id);
  }
}

interface Counted {
  bytesRead: number;
  bytesWritten: number;
}

type AnyCall = (this: Duplex, chunk: unknown, ...rest: never[]) => boolean;

/** Sockets count their bytes; those of any other stream are counted as they pass. */
function countingOf(connection: Duplex): Counted {
  const counted = { bytesRead: 0, bytesWritten: 0 };
  const push: AnyCall = connection.push;
  const write: AnyCall = connection.write;
  connection.push = (chunk: unknown, ...rest: unknown[]) => {
    counted.bytesRead += sizeOf(chunk);
    return push.call(connection, chunk, ...(rest as never[]));
  };
  connection.write = (chunk: unknown, ...rest: unknown[]) => {
    counted.bytesWritten += sizeOf(chunk);
    return write.call(connection, chunk, ...(rest as never[]));
  };
  return counted;
}

const sizeOf = (chunk: unknown) =>
  typeof chunk === "string" || chunk instanceof Uint8Array ? chunk.length : 0;

const bytesOf = ({ bytesRead, bytesWritten }: Counted) => bytesRead + bytesWritten;
