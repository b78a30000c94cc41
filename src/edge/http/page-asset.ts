// Files of a page that a package brings: read with their first request, then kept compressed.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply } from "fastify";

export interface PageAsset {
  type: string;
  read: () => Promise<string>;
}

/** Reads with the first call and keeps the result. A read that failed is repeated by the next call. */
export function readOnce<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | null = null;
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
}

export const JAVASCRIPT = "text/javascript; charset=utf-8";

export class PageAssets<Name extends string> {
  readonly #assets: Readonly<Record<Name, PageAsset>>;
  readonly #compressed = new Map<Name, () => Promise<Buffer>>();

  constructor(assets: Readonly<Record<Name, PageAsset>>) {
    this.#assets = assets;
  }

  has(name: string): name is Name {
    return Object.hasOwn(this.#assets, name);
  }

  async send(reply: FastifyReply, name: Name): Promise<FastifyReply> {
    const body = await this.#read(name);
    reply.header("content-encoding", "gzip").header("cache-control", "public, max-age=3600");
    return reply.type(this.#assets[name].type).send(body);
  }

  #read(name: Name): Promise<Buffer> {
    let compressed = this.#compressed.get(name);
    if (!compressed) {
      compressed = readOnce(async () => promisify(gzip)(await this.#assets[name].read()));
      this.#compressed.set(name, compressed);
    }
    return compressed();
  }
}
