// A service with a network volume and an S3 key, and the JavaScript SDK's client for it.

import { createHash } from "node:crypto";
import path from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { addCleanup } from "../fixtures/cleanup.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { npmClient } from "../sdk/npm-client.ts";

export interface S3KeyPair {
  id: string;
  secret: string;
}

export interface S3Service extends TestService {
  /** The volume's id, which is the bucket. */
  bucket: string;
  s3Key: S3KeyPair;
  /** The folder that workloads would mount; it exists after the first write. */
  folder: string;
  s3Url: string;
}

export async function startS3(t: TestContext, options: ServiceOptions = {}): Promise<S3Service> {
  const service = await startService(t, { replicas: null, ...options });
  const bucket = await createVolume(service);
  const { json: s3Key } = await service.call("POST", "/v1/s3-keys", { name: "test" });
  const folder = path.join(service.dataFolder, "volumes", `network-${bucket}`, "data");
  return { ...service, bucket, s3Key, folder, s3Url: service.s3Origin! };
}

export async function createVolume(service: TestService, size = 10): Promise<string> {
  const wanted = { name: "data", size, dataCenterId: "EU-RO-1" };
  const { json } = await service.call("POST", "/v1/networkvolumes", wanted);
  return json.id;
}

// biome-ignore lint/suspicious/noExplicitAny: the package is installed beside the tests, without its types
export type Reply = any;

export interface JsClient {
  sdk: Reply;
  client: Reply;
  /** Sends a command, by its name without "Command", about the service's volume. */
  send(name: string, input?: object): Promise<Reply>;
  /** The status and the error code of a command that fails; null if it succeeds. */
  failure(name: string, input?: object): Promise<[number, string] | null>;
  /** The keys of a list. */
  keys(input?: object): Promise<string[]>;
}

/** Null if the package is not installed, and the test is skipped. */
export async function jsClient(
  t: TestContext,
  { s3Url, s3Key, bucket }: Pick<S3Service, "s3Url" | "s3Key" | "bucket">,
  options: object = {},
): Promise<JsClient | null> {
  const entry = npmClient(t, "@aws-sdk/client-s3/dist-cjs/index.js");
  if (!entry) return null;
  const sdk: Reply = await import(pathToFileURL(entry).href);
  const client = new sdk.S3Client({
    endpoint: s3Url,
    region: "EU-RO-1",
    forcePathStyle: true,
    credentials: { accessKeyId: s3Key.id, secretAccessKey: s3Key.secret },
    maxAttempts: 1,
    ...options,
  });
  addCleanup(t, async () => client.destroy());
  const send: JsClient["send"] = (name, input = {}) =>
    client.send(new sdk[`${name}Command`]({ Bucket: bucket, ...input }));
  return {
    sdk,
    client,
    send,
    failure: (name, input) =>
      send(name, input).then(
        () => null,
        (error) => [error.$metadata?.httpStatusCode, error.name],
      ),
    async keys(input) {
      const { Contents = [] } = await send("ListObjectsV2", input);
      return Contents.map(({ Key }: { Key: string }) => Key);
    },
  };
}

export const sha256 = (bytes: Uint8Array | string) =>
  createHash("sha256").update(bytes).digest("hex");
