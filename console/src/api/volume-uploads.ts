// Uploads to a network volume. A large file goes in parts, so that a connection that ends costs one part.

import { notifySessionExpired } from "./session-expiry.ts";
import { errorIn, fileAddress, parseXml, sendToVolume, textIn } from "./volume-files.ts";

/** Smaller files go in one request. */
const PART_BYTES = 16 * 2 ** 20;
const MAX_PARTS = 10_000;
const RETRY_DELAYS_MS = [200, 1_000, 3_000];

interface UploadOptions {
  signal: AbortSignal;
  /** Receives the share that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** The file appears at once or not at all. */
export async function uploadFile(
  volumeId: string,
  key: string,
  file: File,
  { signal, onProgress }: UploadOptions,
): Promise<void> {
  const address = fileAddress(volumeId, key);
  const report = (bytes: number) => onProgress(file.size ? Math.min(bytes / file.size, 1) : 1);
  if (file.size <= PART_BYTES) {
    await putWithRetries(address, file, { signal, onBytes: report });
    return;
  }
  const headers = file.type ? { "content-type": file.type } : undefined;
  const started = await postXml(`${address}?uploads`, { ...(headers && { headers }) });
  const upload = `${address}?uploadId=${encodeURIComponent(textIn(started, "UploadId"))}`;
  try {
    const tags = await putParts(upload, file, { signal, onBytes: report });
    await postXml(upload, { body: completionOf(tags) });
  } catch (error) {
    // What cannot be removed now is removed by the service after some days.
    await sendToVolume(upload, { method: "DELETE" }).catch(() => {});
    throw error;
  }
}

interface PutOptions {
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
}

/** The tags of the parts, in order. */
async function putParts(upload: string, file: File, { signal, onBytes }: PutOptions) {
  const partBytes = Math.max(PART_BYTES, Math.ceil(file.size / MAX_PARTS));
  const tags: string[] = [];
  for (let start = 0; start < file.size; start += partBytes) {
    signal.throwIfAborted();
    const part = file.slice(start, start + partBytes, "");
    const address = `${upload}&partNumber=${tags.length + 1}`;
    const options = { signal, onBytes: (bytes: number) => onBytes(start + bytes) };
    tags.push(await putWithRetries(address, part, options));
  }
  return tags;
}

function completionOf(tags: string[]): string {
  const request = document.implementation.createDocument(null, "CompleteMultipartUpload");
  for (const [index, tag] of tags.entries()) {
    const part = request.createElement("Part");
    for (const [name, text] of [
      ["PartNumber", String(index + 1)],
      ["ETag", tag],
    ] as const) {
      const element = request.createElement(name);
      element.textContent = text;
      part.append(element);
    }
    request.documentElement.append(part);
  }
  return new XMLSerializer().serializeToString(request);
}

/** The reply; an error in it has the status 200 if it was found late. */
async function postXml(address: string, init: RequestInit): Promise<Document> {
  const response = await sendToVolume(address, { method: "POST", ...init });
  const text = await response.text();
  const reply = parseXml(text);
  if (reply.documentElement.tagName === "Error") throw errorIn(500, text);
  return reply;
}

/** Sends it again if the connection ends. */
async function putWithRetries(address: string, body: Blob, options: PutOptions): Promise<string> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await put(address, body, options);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      options.signal.throwIfAborted();
    }
  }
  return put(address, body, options);
}

/** The tag of what was stored. */
function put(address: string, body: Blob, { signal, onBytes }: PutOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    // fetch does not report how much of a body is sent.
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open("PUT", address);
    if (body.type) request.setRequestHeader("content-type", body.type);
    request.upload.onprogress = ({ loaded }) => onBytes(loaded);
    request.onload = () => {
      if (request.status < 400) return resolve(request.getResponseHeader("etag") ?? "");
      if (request.status === 401) notifySessionExpired();
      reject(errorIn(request.status, request.responseText));
    };
    request.onerror = () => reject(new TypeError("the connection ended"));
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    request.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    request.send(body);
  });
}
