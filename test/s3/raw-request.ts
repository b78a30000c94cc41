// Requests that are signed by hand, for bodies and paths that no SDK sends.

import { request } from "node:http";
import { canonicalRequest } from "../../src/domain/s3/canonical-request.ts";
import { Signer } from "../../src/domain/s3/signature.ts";
import { sendSlowly } from "../fixtures/service/slow-request.ts";
import type { S3Service } from "./fixture.ts";

export interface RawRequest {
  method?: string;
  /** As it is sent, below the volume; below the service itself if the volume is "". */
  path: string;
  payloadHash?: string;
  headers?: Record<string, string>;
  /** The body, from the request's signature. */
  body?: (signer: Signer, seed: string) => string | Buffer;
  /** What happens before the body is complete. */
  between?: () => Promise<unknown>;
}

export interface RawReply {
  status: number;
  text: string;
}

export function sendRaw(
  { s3Url, s3Key, bucket }: Pick<S3Service, "s3Url" | "s3Key" | "bucket">,
  {
    method = "GET",
    path,
    payloadHash = "UNSIGNED-PAYLOAD",
    headers = {},
    body,
    between,
  }: RawRequest,
): Promise<RawReply> {
  const url = new URL(s3Url);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = { date: time.slice(0, 8), region: "any" };
  const signed: Record<string, string> = {
    host: url.host,
    "x-amz-content-sha256": payloadHash,
    "x-amz-date": time,
    ...headers,
  };
  const names = Object.keys(signed).sort();
  const full = bucket === "" ? `/${path}` : `/${bucket}/${path}`;
  const [rawPath = "", query = ""] = full.split("?");
  const signer = new Signer(s3Key.secret, scope, time);
  const rawHeaders = Object.entries(signed).flat();
  const form = { method, path: rawPath, query, rawHeaders, signedHeaders: names, payloadHash };
  const signature = signer.ofRequest(canonicalRequest(form));
  const credential = `${s3Key.id}/${scope.date}/any/s3/aws4_request`;
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${credential}, ` +
    `SignedHeaders=${names.join(";")}, Signature=${signature}`;
  const content = body?.(signer, signature) ?? "";
  const all = { ...signed, authorization };
  if (between) {
    return sendSlowly(s3Url + full, { method, headers: all, body: String(content) }, between);
  }
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method, path: full };
    const sent = request(
      { ...options, headers: { ...all, "content-length": content.length } },
      async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    sent.on("error", reject);
    sent.end(content);
  });
}

export const codeOf = ({ text }: RawReply) => /<Code>(\w+)<\/Code>/.exec(text)?.[1];
