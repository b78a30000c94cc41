// Copies a file of this machine to a volume. A large one goes in parts; a copy that was interrupted goes on
// after the parts that are there already.

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Refusal } from "../../base/refusal.ts";
import { MIB } from "../../base/units.ts";
import { elementsOf, textOf } from "../../edge/s3/wire/xml.ts";
import { inParallel } from "./in-parallel.ts";
import type { TransferProgress } from "./progress.ts";
import { RefusedRequest, type VolumeClient } from "./volume-client.ts";

const MIN_PART_BYTES = 16 * MIB;
const MAX_PARTS = 10_000;
const PARALLEL_PARTS = 4;

interface Upload {
  client: VolumeClient;
  key: string;
  /** The name to report. */
  name: string;
  handle: FileHandle;
  size: number;
  progress: TransferProgress;
}

interface Part {
  number: number;
  first: number;
  size: number;
}

/** Throws Refusal, also if the file changes meanwhile. */
export async function upload(
  client: VolumeClient,
  name: string,
  key: string,
  progress: TransferProgress,
): Promise<void> {
  const handle = await open(name, "r");
  try {
    const before = await handle.stat();
    const { size } = before;
    const one = { client, key, name, handle, size, progress };
    if (size <= MIN_PART_BYTES) await putWhole(one);
    else await putParts(one);
    const after = await handle.stat();
    if (after.size === size && after.mtimeMs === before.mtimeMs) return;
    throw new Refusal(`${name} changed while it was copied; run the command again`);
  } finally {
    await handle.close();
  }
}

async function putWhole({ client, key, name, handle, size, progress }: Upload): Promise<void> {
  const body = await bytesOf(handle, { number: 1, first: 0, size });
  await client.send("PUT", { key, body, headers: { "content-md5": md5Of(body, "base64") } });
  progress.add(size, name);
}

async function putParts(one: Upload): Promise<void> {
  const { client, key, name, handle, progress } = one;
  const parts = partsOf(one.size);
  const { uploadId, etags: known } = (await resumable(one, parts)) ?? (await begin(one));
  const etags = new Map(known);
  for (const { number, size } of parts) if (etags.has(number)) progress.add(size, name);
  const missing = parts.filter(({ number }) => !etags.has(number));
  await inParallel(PARALLEL_PARTS, missing, async (part) => {
    const body = await bytesOf(handle, part);
    const query = { uploadId, partNumber: `${part.number}` };
    const headers = { "content-md5": md5Of(body, "base64") };
    const { headers: reply } = await client.send("PUT", { key, query, headers, body });
    etags.set(part.number, reply.get("etag") ?? "");
    progress.add(part.size, name);
  });
  const listed = parts.map(
    ({ number }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etags.get(number)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`;
  await client.sendForXml("POST", "CompleteMultipartUploadResult", {
    key,
    query: { uploadId },
    body,
  });
}

function partsOf(size: number): Part[] {
  const partSize = Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS));
  return Array.from({ length: Math.ceil(size / partSize) }, (_, at) => ({
    number: at + 1,
    first: at * partSize,
    size: Math.min(partSize, size - at * partSize),
  }));
}

interface Begun {
  uploadId: string;
  /** The ETags of the parts that are there, by number. */
  etags: ReadonlyMap<number, string>;
}

async function begin({ client, key }: Upload): Promise<Begun> {
  const query = { uploads: "" };
  const reply = await client.sendForXml("POST", "InitiateMultipartUploadResult", { key, query });
  return { uploadId: textOf(reply, "UploadId") ?? "", etags: new Map() };
}

/** An unfinished upload of this key, each of whose parts has the bytes of this file. */
async function resumable(one: Upload, parts: Part[]): Promise<Begun | null> {
  const { client, key } = one;
  const query = { uploads: "", prefix: key, "encoding-type": "url" };
  const reply = await client.sendForXml("GET", "ListMultipartUploadsResult", { query });
  const ids = elementsOf(reply, "Upload")
    .filter((each) => decodeURIComponent(textOf(each, "Key") ?? "") === key)
    .map((each) => textOf(each, "UploadId") ?? "");
  for (const uploadId of ids.reverse()) {
    const etags = await matchingParts(one, uploadId, parts).catch((error) => {
      if (error instanceof RefusedRequest && error.code === "NoSuchUpload") return null;
      throw error;
    });
    if (etags && etags.size > 0) return { uploadId, etags };
  }
  return null;
}

/** Null if a part differs: it is the upload of something else. */
async function matchingParts(
  { client, key, handle }: Upload,
  uploadId: string,
  parts: Part[],
): Promise<Map<number, string> | null> {
  const etags = new Map<number, string>();
  for (let marker: string | null = "0"; marker !== null; ) {
    const query: Record<string, string> = { uploadId, "part-number-marker": marker };
    const reply = await client.sendForXml("GET", "ListPartsResult", { key, query });
    for (const element of elementsOf(reply, "Part")) {
      const part = parts[Number(textOf(element, "PartNumber")) - 1];
      const etag = textOf(element, "ETag") ?? "";
      if (!part || Number(textOf(element, "Size")) !== part.size) return null;
      if (etag !== `"${md5Of(await bytesOf(handle, part), "hex")}"`) return null;
      etags.set(part.number, etag);
    }
    marker = textOf(reply, "NextPartNumberMarker");
  }
  return etags;
}

async function bytesOf(handle: FileHandle, { first, size }: Part): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, first + length);
    if (bytesRead === 0) throw new Refusal("a file became shorter while it was copied; run again");
    length += bytesRead;
  }
  return bytes;
}

const md5Of = (bytes: Buffer, encoding: "hex" | "base64") =>
  createHash("md5").update(bytes).digest(encoding);
