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

interface Counted {
  ends: string;
  network: string;
  isOver: boolean;
}

export class ConnectionLimit {
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<string, number>();
  /** The connections that are counted, by their ends: a TLS socket has those of the socket below it. */
  readonly #counted = new Map<string, Counted>();

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
    const counted = { ends: endsOf(socket), network, isOver: false };
    this.#counted.set(counted.ends, counted);
    socket.once("close", () => this.#release(counted));
    return true;
  }

  /** Stops counting a connection that has sent a valid key. The socket may be a TLS socket over the counted one. */
  identify(socket: Socket): void {
    if (this.#counted.size === 0) return;
    const counted = this.#counted.get(endsOf(socket));
    if (counted) this.#release(counted);
  }

  #release(counted: Counted): void {
    if (counted.isOver) return;
    counted.isOver = true;
    const { ends, network } = counted;
    // The ends may be those of a new connection already, before this one's close event.
    if (this.#counted.get(ends) === counted) this.#counted.delete(ends);
    const remaining = this.#connections.get(network)! - 1;
    if (remaining > 0) this.#connections.set(network, remaining);
    else this.#connections.delete(network);
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
