// The limit on connections from one address that have not sent a valid key. A connection with one is
// not counted: many workers may share an address.

import type { Socket } from "node:net";
import { networkOf, plainAddress } from "./network.ts";

export interface ConnectionLimits {
  /** Null for no limit. */
  perAddress: number | null;
  /** Addresses without a limit, such as a reverse proxy's. */
  trusted: (address: string) => boolean;
}

export class ConnectionLimit {
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<string, number>();
  /** The connections that are counted, with the network that each counts for. */
  readonly #counted = new WeakMap<Socket, string>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Counts a new connection until it closes; returns false if it is one too many. */
  count(socket: Socket): boolean {
    const { perAddress, trusted } = this.#limits;
    const address = plainAddress(socket.remoteAddress ?? "");
    // A Unix socket has no address.
    if (perAddress === null || address === "" || trusted(address)) return true;
    const network = networkOf(address);
    const before = this.#connections.get(network) ?? 0;
    if (before >= perAddress) return false;
    this.#connections.set(network, before + 1);
    this.#counted.set(socket, network);
    socket.once("close", () => this.identify(socket));
    return true;
  }

  /** Stops counting a connection: it has sent a valid key, or it has closed. */
  identify(socket: Socket): void {
    const network = this.#counted.get(socket);
    if (network === undefined) return;
    this.#counted.delete(socket);
    const left = this.#connections.get(network)! - 1;
    if (left > 0) this.#connections.set(network, left);
    else this.#connections.delete(network);
  }
}
