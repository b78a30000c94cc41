// The authority of `--tls local`. Its root is in the store, so that replicas and backups have the same one; its key is
// sealed with the service's secret key.

import { X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { createRoot, type Root } from "../../base/certificate/certificate-authority.ts";
import type { Permitted } from "../../base/certificate/name-constraints.ts";
import { Refusal } from "../../base/refusal.ts";
import { DAY_MS } from "../../base/units.ts";
import type { Vault } from "../../base/vault.ts";
import type { Store } from "../../store/engine/store.ts";
import { ensureSetting, findSetting } from "../../store/setting/setting.ts";
import { isPermitted } from "./certified-names.ts";

/** The name of the setting, and of the owner that its key is sealed for. */
export const ROOT_SETTING = "tls_local_root";

const ROOT_DAYS = 3_650;

export interface LocalRoot extends Root {
  permitted: Permitted;
}

interface StoredRoot {
  certificate: string;
  sealedKey: string;
  permitted: Permitted;
}

interface AuthorityDeps {
  store: Store;
  vault: Vault;
}

const INSTEAD =
  "`freehold tls new-root` replaces it while the service is stopped, and each client installs the new one";

/** Throws Refusal if the root is damaged. Creates it with the first start. `permitted` are the limits of a new one. */
export async function openLocalRoot(
  { store, vault }: AuthorityDeps,
  permitted: Permitted,
  now: number,
): Promise<LocalRoot> {
  const stored =
    (await store.read(findSetting, ROOT_SETTING)) ??
    (await store.write(ensureSetting, ROOT_SETTING, newRoot(vault, permitted, now)));
  try {
    const { sealedKey, ...root } = JSON.parse(stored) as StoredRoot;
    new X509Certificate(root.certificate); // throws
    return { ...root, privatePem: vault.open(sealedKey, ROOT_SETTING) };
  } catch (error) {
    const { message } = error as Error;
    throw new Refusal(
      `FREEHOLD_TLS: the root of the local authority in the store is damaged: ${message}; ${INSTEAD}`,
    );
  }
}

function newRoot(vault: Vault, permitted: Permitted, now: number): string {
  // The name tells two roots of one host apart in a browser's list.
  const name = `Freehold ${hostname().slice(0, 30)} ${new Date(now).toISOString().slice(0, 16)}Z`;
  const life = { now, endsAt: now + ROOT_DAYS * DAY_MS };
  const { certificate, privatePem } = createRoot(name, permitted, life);
  const sealedKey = vault.seal(privatePem, ROOT_SETTING);
  return JSON.stringify({ certificate, sealedKey, permitted } satisfies StoredRoot);
}

/** Why the root cannot certify what the settings name; null if it can. */
export function rootProblem(root: LocalRoot, names: string[], now: number): string | null {
  const endsAt = rootEnd(root);
  if (endsAt <= now) {
    return `the root of the local authority ended at ${new Date(endsAt).toISOString()}; ${INSTEAD}`;
  }
  const startsAt = Date.parse(new X509Certificate(root.certificate).validFrom);
  if (startsAt > now) {
    const start = new Date(startsAt).toISOString();
    return `the root of the local authority is valid only from ${start}: set this machine's clock, or ${INSTEAD}`;
  }
  const outside = names.find((name) => !isPermitted(root.permitted, name));
  if (outside === undefined) return null;
  const { permitted } = root;
  return (
    `the root of the local authority cannot certify ${outside}: clients accept it for ` +
    `${permitted.names.join(", ")}, the names below them and private addresses; ${INSTEAD}`
  );
}

export const rootEnd = ({ certificate }: Pick<Root, "certificate">): number =>
  Date.parse(new X509Certificate(certificate).validTo);
