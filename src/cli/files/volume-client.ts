// The files of a volume, over the S3 operations that the service offers to API keys below /s3/.

import { pause, systemClock } from "../../base/clock.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { encodeS3 } from "../../domain/s3/canonical-request.ts";
import { elementsOf, parseXml, textOf } from "../../edge/s3/wire/xml.ts";
import type { RunningService } from "../client/running-service.ts";
import { exitCodeOf } from "../client/service-request.ts";

export interface VolumeFile {
  key: string;
  size: number;
  modifiedAt: number;
}

export interface FolderPage {
  files: VolumeFile[];
  /** Keys of folders, with a slash at their end. */
  folders: string[];
}

export interface VolumeRequest {
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/** The service refused the request. */
export class RefusedRequest extends Refusal {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message, exitCodeOf(status));
    this.status = status;
    this.code = code;
  }
}

/** Statuses of failures that pass. */
const PASSING = [500, 502, 503, 504];
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000];

export class VolumeClient {
  readonly id: string;
  readonly #service: RunningService;

  constructor(service: RunningService, volumeId: string) {
    this.#service = service;
    this.id = volumeId;
  }

  /** Repeats a request that the service could not serve. Throws RefusedRequest. */
  async send(method: string, request: VolumeRequest = {}): Promise<Response> {
    for (const delayMs of RETRY_DELAYS_MS) {
      const response = await this.#fetch(method, request).catch(() => null);
      if (response && !PASSING.includes(response.status)) return accepted(response);
      await response?.body?.cancel();
      await pause(systemClock, delayMs);
    }
    const { origin } = this.#service;
    const response = await this.#fetch(method, request).catch((error) => {
      const { cause, message } = error as Error & { cause?: Error };
      throw new Refusal(
        `${origin} does not answer: ${cause?.message || message}`,
        exitCodes.unreachable,
      );
    });
    return accepted(response);
  }

  /** An XML reply; throws RefusedRequest if it is an error in a reply whose status was sent early. */
  async sendForXml(method: string, root: string, request: VolumeRequest) {
    const text = await (await this.send(method, request)).text();
    const found = parseXml(text, root);
    if (found) return found;
    // An element without content has no members.
    if (text.includes(`<${root}`)) return {};
    throw refusalIn(500, text);
  }

  /** The pages of a list: of one folder, or with `isDeep` of everything below it. */
  async *list(prefix: string, isDeep: boolean, pageSize = 1_000): AsyncGenerator<FolderPage> {
    for (let token: string | null = ""; token !== null; ) {
      const query = {
        "list-type": "2",
        "encoding-type": "url",
        "max-keys": `${pageSize}`,
        prefix,
        ...(!isDeep && { delimiter: "/" }),
        ...(token && { "continuation-token": token }),
      };
      const page = await this.sendForXml("GET", "ListBucketResult", { query });
      yield {
        files: elementsOf(page, "Contents").map(fileOf),
        folders: elementsOf(page, "CommonPrefixes").map((each) => keyOf(each, "Prefix")),
      };
      token = textOf(page, "NextContinuationToken");
    }
  }

  /** Whether anything is below this path. */
  async isFolder(path: string): Promise<boolean> {
    for await (const { files, folders } of this.list(asFolder(path), false, 1)) {
      return files.length + folders.length > 0;
    }
    return false;
  }

  /** Null if there is no file at this key. */
  async head(key: string): Promise<{ size: number; etag: string; modifiedAt: number } | null> {
    const found = await this.send("HEAD", { key }).catch((error) => {
      if (error instanceof RefusedRequest && error.status === 404) return null;
      throw error;
    });
    if (!found) return null;
    const { headers } = found;
    const modifiedAt = Date.parse(headers.get("last-modified") ?? "");
    return {
      size: Number(headers.get("content-length")),
      etag: headers.get("etag") ?? "",
      modifiedAt,
    };
  }

  #fetch(method: string, { key = "", query = {}, headers = {}, body }: VolumeRequest) {
    const { origin, key: apiKey } = this.#service;
    const search = new URLSearchParams(query).toString().replaceAll("+", "%20");
    const path = key === "" ? "" : `/${key.split("/").map(encodeS3).join("/")}`;
    return fetch(`${origin}/s3/${this.id}${path}${search && `?${search}`}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body !== undefined && { body }),
    });
  }
}

/** A path as the prefix of what is in it. */
export const asFolder = (path: string) => (path === "" ? "" : path.replace(/\/*$/, "/"));

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw refusalIn(response.status, await response.text());
}

function refusalIn(status: number, text: string): RefusedRequest {
  const error = parseXml(text, "Error");
  if (error) {
    const code = textOf(error, "Code") ?? "";
    return new RefusedRequest(status, code, textOf(error, "Message") ?? code);
  }
  return new RefusedRequest(status, "", sentenceIn(text) ?? `the service answered ${status}`);
}

function sentenceIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}

function fileOf(element: Record<string, unknown>): VolumeFile {
  return {
    key: keyOf(element, "Key"),
    size: Number(textOf(element, "Size")),
    modifiedAt: Date.parse(textOf(element, "LastModified") ?? ""),
  };
}

const keyOf = (element: Record<string, unknown>, name: string) =>
  decodeURIComponent(textOf(element, name) ?? "");
