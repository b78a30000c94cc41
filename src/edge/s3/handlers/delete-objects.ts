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

interface Outcome {
  key: string;
  error: S3Error | null;
}

export const deleteObjects: Handler = async (call) => {
  const { deps, by, bucket, request, authenticated } = call;
  const target = await deletableVolume(deps, by, bucket);
  const { keys, isQuiet } = readKeys(await readText(request, authenticated));
  const outcomes: Outcome[] = [];
  for (let at = 0; at < keys.length; at += MAX_PARALLEL) {
    const some = keys.slice(at, at + MAX_PARALLEL);
    outcomes.push(...(await Promise.all(some.map((key) => deleteOne(call, target, key)))));
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

function readKeys(text: string): { keys: string[]; isQuiet: boolean } {
  const root = parseXml(text, "Delete");
  const keys = root && elementsOf(root, "Object").map((each) => textOf(each, "Key"));
  if (!keys || keys.length === 0 || keys.length > MAX_KEYS || keys.includes(null)) {
    throw new S3Error("MalformedXML", { operation: "DeleteObjects" });
  }
  return { keys: keys as string[], isQuiet: textOf(root, "Quiet")?.trim() === "true" };
}

async function deleteOne(
  { deps }: S3Call,
  target: WritableVolume | null,
  key: string,
): Promise<Outcome> {
  try {
    if (target) await deleteObject(deps, target, readKey(key));
    return { key, error: null };
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return { key, error };
  }
}
