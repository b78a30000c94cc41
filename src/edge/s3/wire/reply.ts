// Replies of the S3 interface, and how they are sent.

import type { Clock } from "../../../base/clock.ts";
import type { ByteRange } from "../../../domain/s3/byte-range.ts";
import type { S3ErrorCode } from "../../../domain/s3/s3-error.ts";
import { type LastingAccess, watchAccess } from "../../../flows/access-watch.ts";
import type { OpenObject } from "../../../flows/s3/read-object.ts";
import { asS3Error, type FailureLog } from "./as-s3-error.ts";
import type { ElementName } from "./element-name.ts";
import type { S3Request } from "./s3-request.ts";
import { PIECE_BYTES, sendFile } from "./send-file.ts";
import { buildPlainXml, buildXml, type Named, XML_HEAD } from "./xml.ts";

type Headers = Readonly<Record<string, string | number>>;

export interface S3Reply {
  status: number;
  headers?: Headers;
  body?: ReplyBody;
}

type ReplyBody =
  /** XML without its declaration. */
  | { xml: string }
  /** Bytes of a file, read as fast as the client takes them. The file is closed then. */
  | { file: NonNullable<OpenObject["file"]>; range: ByteRange }
  /** XML that may take minutes: blanks before it keep the connection alive. */
  | { slowXml: Promise<string> };

export function xmlReply<const C>(root: ElementName, content: C & Named<C>): S3Reply {
  return { status: 200, body: { xml: buildXml(root, content) } };
}

const XML_TYPE = "application/xml";
/** Clients and proxies give up after a minute without a byte. */
const BLANK_MS = 10_000;

interface ReplyDeps extends FailureLog {
  clock: Clock;
  access: LastingAccess;
}

/** A file is sent as long as its reader has access. */
export async function sendReply(
  { clock, access, ...failures }: ReplyDeps,
  request: S3Request,
  reply: S3Reply,
): Promise<void> {
  const endWatch = isLong(reply)
    ? watchAccess(clock, access, () => request.response.destroy())
    : null;
  try {
    await send(clock, request, reply, failures);
  } finally {
    endWatch?.();
    if (reply.body && "file" in reply.body) await reply.body.file.close();
  }
}

/** A small file is sent at once, and needs no check beyond that of its request. */
const isLong = ({ body }: S3Reply) =>
  body !== undefined && "file" in body && body.range.last - body.range.first >= PIECE_BYTES;

async function send(
  clock: Clock,
  { message, response, method }: S3Request,
  { status, headers = {}, body }: S3Reply,
  failures: FailureLog,
): Promise<void> {
  // The rest of a body that was not read would otherwise have to be received first.
  if (!message.complete) response.setHeader("connection", "close");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body && "slowXml" in body) return sendSlowly(clock, response, body.slowXml, failures);
  if (body && "file" in body) return sendFile(response.writeHead(status), body.file, body.range);
  if (!body || method === "HEAD") return void response.writeHead(status).end();
  const text = XML_HEAD + body.xml;
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": XML_TYPE, "content-length": length }).end(text);
}

/** The status is 200 before the outcome is known; clients read an error from the body. */
async function sendSlowly(
  clock: Clock,
  response: S3Request["response"],
  outcome: Promise<string>,
  failures: FailureLog,
): Promise<void> {
  let cancel = () => {};
  const writeBlank = () => {
    if (response.headersSent) response.write(" ");
    else response.writeHead(200, { "content-type": XML_TYPE }).write(XML_HEAD);
    cancel = clock.after(BLANK_MS, writeBlank);
  };
  cancel = clock.after(BLANK_MS, writeBlank);
  try {
    const xml = await outcome;
    const isBegun = response.headersSent;
    if (!isBegun) response.writeHead(200, { "content-type": XML_TYPE });
    response.end(isBegun ? xml : XML_HEAD + xml);
  } catch (error) {
    if (!response.headersSent) throw error;
    const known = asS3Error(error, failures);
    response.end(errorXml(known.code, known.message, "", ""));
  } finally {
    cancel();
  }
}

export function errorXml(
  code: S3ErrorCode | "NotModified",
  message: string,
  resource: string,
  requestId: string,
): string {
  const error = { Code: code, Message: message, Resource: resource, RequestId: requestId };
  return buildPlainXml("Error", error);
}
