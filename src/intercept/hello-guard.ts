// A stream that passes a tunnel's bytes on, and ends the tunnel if it turns out to be a TLS connection for a hosted name:
// a client may connect to an address that it looked up itself.

import { Transform, type TransformCallback } from "node:stream";
import { helloName } from "./hello-name.ts";
import { destinationOf } from "./hosts.ts";

export class HelloGuard extends Transform {
  readonly #onRefused: (host: string) => void;
  /** What came so far; null once it is decided. */
  #hello: Buffer | null = Buffer.alloc(0);

  constructor(onRefused: (host: string) => void) {
    super();
    this.#onRefused = onRefused;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#hello === null) done(null, chunk);
    else this.#inspect(Buffer.concat([this.#hello, chunk]), done);
  }

  #inspect(hello: Buffer, done: TransformCallback): void {
    this.#hello = hello;
    const name = helloName(hello);
    if (name === "incomplete") {
      done();
    } else if (name !== null && destinationOf(name).to !== "elsewhere") {
      this.#onRefused(name);
      done(new Error(`${name} is a hosted name`));
    } else {
      this.#release(done);
    }
  }

  override _flush(done: TransformCallback): void {
    this.#release(done);
  }

  #release(done: TransformCallback): void {
    const hello = this.#hello;
    this.#hello = null;
    done(null, hello?.length ? hello : undefined);
  }
}
