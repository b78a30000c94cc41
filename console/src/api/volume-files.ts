// The files of a network volume, over the S3 operations that the service offers to sessions below /s3/.

import { retryingFetch } from "./retrying-fetch.ts";
import { notifySessionExpired } from "./session-expiry.ts";

export interface VolumeFile {
  key: string;
  size: number;
  modifiedAt: string;
}

export interface FolderPage {
  /** Keys that end with a slash. */
  folders: string[];
  files: VolumeFile[];
  /** Whether the folder exists, though it may be empty. */
  exists: boolean;
  nextToken: string | null;
}

const MAX_DELETED_KEYS = 1_000;

/** Where a browser loads a file; with a type, as that type instead of the stored one. */
export function fileAddress(volumeId: string, key: string, contentType?: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const query = contentType ? `?response-content-type=${encodeURIComponent(contentType)}` : "";
  return `/s3/${volumeId}/${path}${query}`;
}

export async function listFolder(
  volumeId: string,
  prefix: string,
  { token, isDeep = false }: { token?: string | null; isDeep?: boolean } = {},
): Promise<FolderPage> {
  const query = new URLSearchParams({
    "list-type": "2",
    "encoding-type": "url",
    prefix,
    ...(!isDeep && { delimiter: "/" }),
    ...(token && { "continuation-token": token }),
  });
  const address = `/s3/${volumeId}?${query.toString().replaceAll("+", "%20")}`;
  const page = parseXml(await (await sendToVolume(address)).text());
  const all = [...page.querySelectorAll("Contents")].map((each) => ({
    key: decodeURIComponent(textIn(each, "Key")),
    size: Number(textIn(each, "Size")),
    modifiedAt: textIn(each, "LastModified"),
  }));
  const folders = [...page.querySelectorAll("CommonPrefixes")].map((each) =>
    decodeURIComponent(textIn(each, "Prefix")),
  );
  return {
    folders,
    files: all.filter(({ key }) => key !== prefix || isDeep),
    exists: prefix === "" || all.length + folders.length > 0,
    nextToken: textIn(page, "NextContinuationToken") || null,
  };
}

export async function createFolder(volumeId: string, key: string): Promise<void> {
  await sendToVolume(fileAddress(volumeId, key), { method: "PUT" });
}

export async function deleteFile(volumeId: string, key: string): Promise<void> {
  await sendToVolume(fileAddress(volumeId, key), { method: "DELETE" });
}

/** Deletes everything below a folder, and the folder. */
export async function deleteFolder(volumeId: string, prefix: string): Promise<void> {
  for (;;) {
    const { files } = await listFolder(volumeId, prefix, { isDeep: true });
    const keys = files.map(({ key }) => key).slice(0, MAX_DELETED_KEYS);
    if (keys.length === 0) return deleteFile(volumeId, prefix);
    await deleteKeys(volumeId, keys);
  }
}

/** Throws if one of them is still there. */
async function deleteKeys(volumeId: string, keys: string[]): Promise<void> {
  const request = document.implementation.createDocument(null, "Delete");
  for (const key of keys) {
    const object = request.createElement("Object");
    const name = request.createElement("Key");
    name.textContent = key;
    object.append(name);
    request.documentElement.append(object);
  }
  const body = new XMLSerializer().serializeToString(request);
  const reply = parseXml(
    await (await sendToVolume(`/s3/${volumeId}?delete`, { method: "POST", body })).text(),
  );
  const failed = reply.querySelector("Error");
  if (failed) throw { error: textIn(failed, "Message"), code: textIn(failed, "Code"), status: 409 };
}

/** The first bytes of a file. */
export async function readStart(volumeId: string, key: string, bytes: number): Promise<Uint8Array> {
  const headers = { range: `bytes=0-${bytes - 1}` };
  const response = await sendToVolume(fileAddress(volumeId, key), { headers });
  return new Uint8Array(await response.arrayBuffer());
}

export async function sendToVolume(address: string, init: RequestInit = {}): Promise<Response> {
  // All of these operations can be repeated.
  const response = await retryingFetch(new Request(address, init), true);
  if (response.ok) return response;
  if (response.status === 401) notifySessionExpired();
  throw errorIn(response.status, await response.text());
}

/** In the form that `describeError` reads: the service's own errors are JSON, those of S3 are XML. */
export function errorIn(status: number, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    const error = parseXml(text);
    const code = textIn(error, "Code");
    return { error: textIn(error, "Message") || `The service answered ${status}.`, code, status };
  }
}

export const parseXml = (text: string) => new DOMParser().parseFromString(text, "application/xml");

export const textIn = (parent: ParentNode, name: string) =>
  parent.querySelector(name)?.textContent ?? "";
