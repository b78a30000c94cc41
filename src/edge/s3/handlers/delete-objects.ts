// DeleteObjects: up to 1000 keys in one request, each with an outcome of its own.

import { readKey } from "../../../domain/s3/object-key.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import { deletableVolume, deleteObject } from "../../../flows/s3/delete-object.ts";
import type { WritableVolume } from "../../../flows/s3/volume-access.ts";
import { xmlReply } from "../wire/reply.ts";
import { readText } from "../wire/request-body.ts";
import { elementsOf, parseXml, textOf } from "../wire/xml.ts";
import type { Handler, S3Call } from "./call.ts";

const MAX_KEYS = 1_000;
/** Their commits share batches. */
const MAX_PARALLEL = 50;

interface NamedObject {
  key: string;
  /** Undefined to delete whatever it is. */
  etag: string | undefined;
}

interface Outcome {
  key: string;
  error: S3Error | null;
}

export const deleteObjects: Handler = async (call) => {
  const { deps, by, bucket, request, authenticated } = call;
  const target = await deletableVolume(deps, by, bucket);
  const { objects, isQuiet } = readObjects(await readText(request, authenticated));
  const outcomes: Outcome[] = [];
  for (let at = 0; at < objects.length; at += MAX_PARALLEL) {
    const some = objects.slice(at, at + MAX_PARALLEL);
    outcomes.push(...(await Promise.all(some.map((each) => deleteOne(call, target, each)))));
  }
  const failed = outcomes.flatMap(({ key, error }) =>
    error ? [{ Key: key, Code: error.code, Message: error.message }] : [],
  );
  const deleted = isQuiet ? [] : outcomes.filter(({ error }) => error === null);
  return xmlReply("DeleteResult", {
    Deleted: deleted.map(({ key }) => ({ Key: key })),
    Error: failed,
  });
};

function readObjects(text: string): { objects: NamedObject[]; isQuiet: boolean } {
  const root = parseXml(text, "Delete");
  const objects = (root ? elementsOf(root, "Object") : []).map((each) => ({
    key: textOf(each, "Key"),
    etag: textOf(each, "ETag")?.trim(),
  }));
  const isWhole = objects.length > 0 && objects.every(({ key }) => key !== null);
  if (!root || !isWhole || objects.length > MAX_KEYS) {
    throw new S3Error("MalformedXML", { operation: "DeleteObjects" });
  }
  return { objects: objects as NamedObject[], isQuiet: textOf(root, "Quiet")?.trim() === "true" };
}

async function deleteOne(
  { deps }: S3Call,
  target: WritableVolume | null,
  { key, etag: ifMatch }: NamedObject,
): Promise<Outcome> {
  try {
    if (target) await deleteObject(deps, target, readKey(key), { ifMatch });
    return { key, error: null };
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return { key, error };
  }
}
