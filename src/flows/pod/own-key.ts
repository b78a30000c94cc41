// The API key with which a Pod manages itself. It is derived from the Pod's id, so it is not stored; it is
// void once the Pod is terminated.

import { createHmac } from "node:crypto";
import { isSameText } from "../../base/text/same-text.ts";

const FORM = /^fhp_([a-z0-9]{1,64})_([0-9a-f]{40})$/;

export class PodKeys {
  readonly #key: Buffer;

  /** `key` is 64 hexadecimal digits. */
  constructor(key: string) {
    this.#key = Buffer.from(key, "hex");
  }

  /** Always the same for the same Pod. */
  secretOf(podId: string): string {
    return `fhp_${podId}_${this.#proofOf(podId)}`;
  }

  /** The Pod that the key belongs to, which may not exist; null for any other text. */
  podOf(secret: string): string | null {
    const [, podId, proof] = FORM.exec(secret) ?? [];
    if (podId === undefined || proof === undefined) return null;
    return isSameText(this.#proofOf(podId), proof) ? podId : null;
  }

  #proofOf(podId: string): string {
    return createHmac("sha256", this.#key).update(podId).digest("hex").slice(0, 40);
  }
}
