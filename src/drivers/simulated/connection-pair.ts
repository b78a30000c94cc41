// Two ends of a connection in memory. As with TCP, one that closes closes the other; duplexPair alone leaves the server's end
// open after a client that disconnects in the middle of an answer.

import { type Duplex, duplexPair } from "node:stream";

export function connectionPair(): [clientEnd: Duplex, serverEnd: Duplex] {
  const [clientEnd, serverEnd] = duplexPair();
  clientEnd.once("close", () => serverEnd.destroy());
  serverEnd.once("close", () => clientEnd.destroy());
  return [clientEnd, serverEnd];
}
