// The files that a container gets before it starts. A Secret whose name is the digest of its content holds them, so that
// the Pods of a namespace share it and nothing has to be replaced; it ends with its namespace. Pure.

import { createHash } from "node:crypto";
import { StartRefused, type Workload } from "../../driver.ts";
import { installationLabels, namespaceOf, type Owner } from "../names.ts";

/** What Kubernetes stores in one Secret. */
const MAX_BYTES = 1_048_576;

const VOLUME = "files";
const NAME_CHARS = 20;

export interface KubernetesPodFiles {
  secret: {
    metadata: { name: string; namespace: string; labels: Record<string, string> };
    immutable: true;
    stringData: Record<string, string>;
  };
  volume: { name: string; secret: { secretName: string } };
  mounts: { name: string; mountPath: string; subPath: string; readOnly: true }[];
}

/** Null without files. Throws StartRefused for files that no Secret can hold. */
export function podFilesOf(
  { files = [], account = "" }: Pick<Workload, "files" | "account">,
  owner: Owner,
): KubernetesPodFiles | null {
  if (files.length === 0) return null;
  const texts = files.map(({ path, content }) => {
    if (typeof content === "string") return content;
    throw new StartRefused(`A Kubernetes cluster cannot give a Pod the archive ${path}.`);
  });
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_BYTES) {
    throw new StartRefused(
      `The Pod's files have ${bytes} bytes; a Secret of Kubernetes holds at most ${MAX_BYTES}.`,
    );
  }
  const keyOf = (n: number) => `file-${n}`;
  const digest = createHash("sha256").update(JSON.stringify(texts)).digest("hex");
  const name = `freehold-files-${digest.slice(0, NAME_CHARS)}`;
  const labels = installationLabels(owner);
  return {
    secret: {
      metadata: { name, namespace: namespaceOf(owner, account), labels },
      immutable: true,
      stringData: Object.fromEntries(texts.map((text, n) => [keyOf(n), text])),
    },
    volume: { name: VOLUME, secret: { secretName: name } },
    // A mount of the folder would hide what the image has there.
    mounts: files.map(({ path: mountPath }, n) => ({
      name: VOLUME,
      mountPath,
      subPath: keyOf(n),
      readOnly: true,
    })),
  };
}
