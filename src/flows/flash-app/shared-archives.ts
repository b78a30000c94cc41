// The archives of Flash builds on all replicas. One replica received an archive; the others copy it from
// there when a worker needs it.

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { Store } from "../../store/engine/store.ts";
import { findAnyBuild } from "../../store/flash-app/build.ts";
import type { PeerClient } from "../replica/peer-client.ts";
import type { Archive, FlashArchives } from "./archives.ts";

export class SharedArchives {
  readonly #store: Store;
  readonly #own: FlashArchives;
  readonly #peers: Pick<PeerClient, "flashArchive">;
  readonly #copies = new Map<string, Promise<Archive | null>>();

  constructor(deps: {
    store: Store;
    flashArchives: FlashArchives;
    peers: Pick<PeerClient, "flashArchive">;
  }) {
    this.#store = deps.store;
    this.#own = deps.flashArchives;
    this.#peers = deps.peers;
  }

  /** A build's archive on this replica, copied from another one if need be; null if no replica has it. */
  async find(buildId: string): Promise<Archive | null> {
    const copy = this.#copies.get(buildId) ?? this.#findOrCopy(buildId);
    this.#copies.set(buildId, copy);
    try {
      return await copy;
    } finally {
      this.#copies.delete(buildId);
    }
  }

  /** The size of a build's archive, wherever it is; null if no replica has it. */
  async sizeOf(buildId: string): Promise<number | null> {
    const own = await this.#own.find(buildId);
    if (own) return own.size;
    const answer = await this.#peers.flashArchive(buildId);
    await answer?.body?.cancel();
    return answer ? Number(answer.headers.get("content-length")) : null;
  }

  /** The content of a build's archive from the replica that has it; null if none has. */
  async open(buildId: string): Promise<{ size: number; content: Readable } | null> {
    const own = await this.#own.find(buildId);
    if (own) return { size: own.size, content: createReadStream(own.path) };
    const answer = await this.#peers.flashArchive(buildId);
    if (!answer) return null;
    const content = Readable.from(answer.body!);
    return { size: Number(answer.headers.get("content-length")), content };
  }

  async #findOrCopy(buildId: string): Promise<Archive | null> {
    const own = await this.#own.find(buildId);
    if (own) return own;
    const build = await this.#store.read(findAnyBuild, buildId);
    const answer = build && (await this.#peers.flashArchive(buildId));
    if (!answer) return null;
    await this.#own.receive({ buildId, size: build.size }, answer.body!);
    return this.#own.find(buildId);
  }
}
