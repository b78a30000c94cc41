// The match of a data folder and a store. Each carries the id of its installation: a store that lacks
// the folder's workloads would end them.

/** The id that a data folder carries; null before its first start. */
export interface FolderIdentity {
  installation: string | null;
  /** The machine whose workloads carry the id; set from the first start on. */
  machine: string | null;
}

export interface StoreIdentity {
  installation: string | null;
  /** True if it holds no account, so that no service has used it. */
  isEmpty: boolean;
}

export type Match =
  /** The store gets a new id, and the folder the same. */
  | { is: "new" }
  /** The folder gets the store's id. */
  | { is: "joining"; installation: string }
  | { is: "same"; installation: string }
  | { is: "empty store" }
  | { is: "other store"; installation: string };

export function matchInstallation(folder: FolderIdentity, store: StoreIdentity): Match {
  const { installation } = store;
  if (installation === null) {
    const wasUsed = folder.installation !== null || (folder.machine !== null && store.isEmpty);
    return { is: wasUsed ? "empty store" : "new" };
  }
  if (folder.installation === null) return { is: "joining", installation };
  return { is: folder.installation === installation ? "same" : "other store", installation };
}
