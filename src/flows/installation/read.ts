// What the operator knows of the installation itself: its data folder and its backups.

import type { Store } from "../../store/engine/store.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";

export interface Installation {
  database: "sqlite" | "postgresql";
  dataFolder: FolderSize & {
    path: string;
    /** What its disk has left. */
    freeBytes: number;
  };
  /** The last one of `freehold backup`; null if there is none. */
  lastBackup: BackupNote | null;
}

export interface FolderSize {
  bytes: number;
  /** Whether files were left out of the sum, since there are too many to count. */
  isPartial: boolean;
}

export interface BackupNote {
  file: string;
  bytes: number;
  at: number;
  /** Whether the file is still there. */
  isPresent: boolean;
}

export async function readInstallation(
  { store, installation }: { store: Store; installation: () => Promise<Installation> },
  by: string,
): Promise<Installation> {
  const refusal = await store.read(requireOperator, by);
  if (refusal) throw refusal;
  return installation();
}
