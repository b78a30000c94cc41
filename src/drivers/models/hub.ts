// The protocol of the Hugging Face Hub, which its mirrors speak too: the list of a commit's files, the facts
// about a file from a HEAD, and its content by ranges.

import { type Clock, pause } from "../../base/clock.ts";
import { type ModelName, nameText } from "../../domain/model/reference.ts";
import { StartRefused } from "../driver.ts";
import {
  isBlobName,
  isSafePath,
  type ModelFile,
  type ModelSource,
  type SourceAccess,
} from "./model-source.ts";

/** A model, and the revision or commit that a request names. */
interface ModelVersion {
  model: ModelName;
  revision: string;
}

/** The members of a repository's description that are read. */
interface Description {
  sha?: unknown;
  private?: unknown;
  gated?: unknown;
  siblings?: Sibling[];
}

interface Sibling {
  rfilename?: unknown;
  size?: unknown;
  blobId?: unknown;
  lfs?: { sha256?: unknown; size?: unknown } | null;
}

const NO_HUB = "the source of models does not answer as a hub does";
const MAX_FILES = 10_000;
const MAX_REDIRECTS = 5;
/** The hub counts requests in windows of five minutes. */
const MAX_PAUSE_MS = 600_000;
const MAX_WAITS = 5;

/** `fetchUrl` is Node's own, or goes through a proxy. */
export function hubSource(origin: string, clock: Clock, fetchUrl = fetch): ModelSource {
  const { host } = new URL(origin);
  const request = politely(clock, fetchUrl);
  const resolve = (model: ModelName, commit: string, path: string) =>
    `${origin}/${nameText(model)}/resolve/${encodeURIComponent(commit)}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    name: host,
    async find(model, revision, access) {
      const version = { model, revision };
      const api = `${origin}/api/models/${nameText(model)}/revision/${encodeURIComponent(revision)}`;
      const response = await request(`${api}?blobs=true`, "GET", access);
      if (!response.ok) throw await refused(response, version, access);
      const description = await readJson(response);
      const { commit, files } = filesOf(description);
      const urlOf = (path: string) => resolve(model, commit, path);
      const [first] = files;
      // The list of a gated repository is public, its files are not.
      const head = first && (await headOf(request, urlOf(first.path), version, access));
      const complete = await inTurns(files, async (file, n) => {
        if (file.size !== null && file.blob !== null) return file as ModelFile;
        return fileFrom(
          file.path,
          n === 0 ? head! : await headOf(request, urlOf(file.path), version, access),
        );
      });
      const isPublic = description.private === false && description.gated === false;
      return { commit, isPublic, files: complete };
    },
    async read({ model, commit, file }, from, access) {
      const range: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
      const response = await request(resolve(model, commit, file.path), "GET", access, range);
      if (!response.ok) {
        throw await refused(response, { model, revision: commit }, access);
      }
      const start = response.status === 206 ? startOf(response, from) : 0;
      return { from: start, chunks: chunksOf(response) };
    },
  };
}

/** Where a partial answer begins. */
function startOf(response: Response, expected: number): number {
  const [, start] = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "") ?? [];
  if (start !== undefined && Number(start) === expected) return expected;
  throw new Error("the answer begins at another offset than requested");
}

/** Read directly, so that an abort or a cut connection rejects here and nowhere else. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

type HubRequest = (
  url: string,
  method: "GET" | "HEAD",
  access: SourceAccess,
  headers?: Record<string, string>,
) => Promise<Response>;

/** Asks again after the pause that the hub names when it limits the rate. */
const politely =
  (clock: Clock, fetchUrl: typeof fetch): HubRequest =>
  async (url, method, access, headers) => {
    for (let waits = 1; ; waits++) {
      const response = await requestOnce(fetchUrl, url, method, access, headers);
      const pauseMs = response.status === 429 ? rateLimitMs(response.headers, clock.now()) : null;
      if (pauseMs === null || pauseMs > MAX_PAUSE_MS || waits > MAX_WAITS) return response;
      await response.body?.cancel().catch(() => {});
      await pause(clock, pauseMs, access.signal);
      access.signal.throwIfAborted();
    }
  };

async function requestOnce(
  fetchUrl: typeof fetch,
  ...[url, method, { token, signal }, headers = {}]: Parameters<HubRequest>
): Promise<Response> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  // A redirect to another host loses the authorization: `fetch` removes it.
  return fetchUrl(url, {
    method,
    signal,
    redirect: method === "HEAD" ? "manual" : "follow",
    headers: {
      "user-agent": "freehold",
      "accept-encoding": "identity",
      ...authorization,
      ...headers,
    },
  });
}

/**
 * The headers about a file. The hub's own answer has them and redirects to the content; a redirect
 * within the hub, such as of a renamed repository, is followed.
 */
async function headOf(
  request: HubRequest,
  url: string,
  version: ModelVersion,
  access: SourceAccess,
): Promise<Headers> {
  let next = url;
  for (let n = 0; n < MAX_REDIRECTS; n++) {
    const response = await request(next, "HEAD", access);
    const { status, headers } = response;
    await response.body?.cancel().catch(() => {});
    const location = headers.get("location");
    const isInside = location !== null && isSameOrigin(location, url);
    if (status >= 300 && status < 400 && isInside && !headers.has("x-linked-etag")) {
      next = new URL(location, next).href;
      continue;
    }
    if (status < 400) return headers;
    throw await refused(response, version, access);
  }
  throw new Error("the source redirects too often");
}

const isSameOrigin = (location: string, url: string) =>
  new URL(location, url).origin === new URL(url).origin;

/** The fields of a file that its list may lack. */
type ListedFile = Pick<ModelFile, "path" | "digest"> & { size: number | null; blob: string | null };

function filesOf({ sha, siblings }: Description): { commit: string; files: ListedFile[] } {
  if (typeof sha !== "string" || !/^[0-9a-f]{40}$/.test(sha) || !Array.isArray(siblings)) {
    throw new StartRefused(NO_HUB, "model_away");
  }
  if (siblings.length > MAX_FILES) {
    throw new StartRefused(`the model has more than ${MAX_FILES} files`, "model_too_large");
  }
  const files = siblings.map(listedFile);
  return { commit: sha, files };
}

function listedFile({ rfilename, size, blobId, lfs }: Sibling): ListedFile {
  if (typeof rfilename !== "string" || !isSafePath(rfilename)) {
    const shown = JSON.stringify(String(rfilename).slice(0, 80));
    throw new StartRefused(`the model has a file with the name ${shown}, which is not usable`);
  }
  const path = rfilename;
  if (lfs && typeof lfs.sha256 === "string" && /^[0-9a-f]{64}$/.test(lfs.sha256)) {
    const bytes = lfs.size ?? size;
    const digest = { kind: "sha256" as const, hex: lfs.sha256 };
    return { path, size: wholeOrNull(bytes), blob: lfs.sha256, digest };
  }
  if (typeof blobId === "string" && /^[0-9a-f]{40}$/.test(blobId)) {
    return { path, size: wholeOrNull(size), blob: blobId, digest: { kind: "git", hex: blobId } };
  }
  return { path, size: null, blob: null, digest: null };
}

const wholeOrNull = (value: unknown) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** The facts of a mirror whose lists lack sizes. */
function fileFrom(path: string, headers: Headers): ModelFile {
  const size = Number(headers.get("x-linked-size") ?? headers.get("content-length") ?? Number.NaN);
  const tag = headers.get("x-linked-etag") ?? headers.get("etag") ?? "";
  const blob = tag.replace(/^W\//, "").replaceAll('"', "");
  if (!Number.isSafeInteger(size) || size < 0 || !isBlobName(blob)) {
    throw new StartRefused("the source tells no size and no ETag of a file", "model_away");
  }
  return { path, size, blob, digest: digestOf(blob) };
}

function digestOf(blob: string): ModelFile["digest"] {
  if (/^[0-9a-f]{64}$/.test(blob)) return { kind: "sha256", hex: blob };
  return /^[0-9a-f]{40}$/.test(blob) ? { kind: "git", hex: blob } : null;
}

async function readJson(response: Response): Promise<Description> {
  const value: unknown = await response.json().catch(() => null);
  if (typeof value === "object" && value !== null) return value;
  throw new StartRefused(NO_HUB, "model_away");
}

/** The hub answers 401 for a repository that does not exist, to those who have no token. */
async function refused(
  response: Response,
  { model, revision }: ModelVersion,
  { token }: SourceAccess,
): Promise<Error> {
  const { status, headers } = response;
  await response.body?.cancel().catch(() => {});
  const code = headers.get("x-error-code");
  const name = nameText(model);
  if (status === 404) {
    const missing =
      code === "RevisionNotFound"
        ? `the model ${name} has no revision "${revision}"`
        : `there is no model ${name}`;
    return new StartRefused(missing, "model_not_found");
  }
  if (status === 401 || status === 403) {
    const how =
      token === null ? "without a token, or does not exist" : "with the token in HF_TOKEN";
    return new StartRefused(`the model ${name} cannot be read ${how}`, "model_unauthorised");
  }
  return new Error(`the source of models answers ${status}`);
}

/** Maps in order, a few at a time. */
async function inTurns<From, To>(
  all: readonly From[],
  map: (each: From, n: number) => Promise<To>,
): Promise<To[]> {
  const SIDE_BY_SIDE = 8;
  const results: To[] = [];
  for (let n = 0; n < all.length; n += SIDE_BY_SIDE) {
    const slice = all.slice(n, n + SIDE_BY_SIDE);
    results.push(...(await Promise.all(slice.map((each, k) => map(each, n + k)))));
  }
  return results;
}

/** The hub's own client adds as much, because the header has whole seconds. */
const MARGIN_MS = 1_000;
/** Where the hub names no time. */
const DEFAULT_MS = 10_000;

/**
 * How long a hub that answers 429 asks its clients to wait: the RateLimit header of the IETF's draft, or
 * Retry-After.
 */
function rateLimitMs(headers: Headers, now: number): number {
  const [, remaining, reset] =
    /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(headers.get("ratelimit") ?? "") ?? [];
  if (reset !== undefined && Number(remaining) === 0) return Number(reset) * 1_000 + MARGIN_MS;
  const retryAfter = headers.get("retry-after");
  if (retryAfter === null) return DEFAULT_MS;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000 + MARGIN_MS;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? DEFAULT_MS : Math.max(0, at - now) + MARGIN_MS;
}
