// An entry of a folder.

import type { FolderPage, VolumeFile } from "../../../api/volume-files.ts";

export interface Entry {
  key: string;
  /** Its last name. */
  name: string;
  /** Null for a folder. */
  file: VolumeFile | null;
}

/** Folders first. */
export function entriesOf(pages: FolderPage[], prefix: string): Entry[] {
  const nameOf = (key: string) => key.slice(prefix.length).replace(/\/$/, "");
  const folders = pages.flatMap((page) => page.folders);
  const files = pages.flatMap((page) => page.files);
  return [
    ...folders.map((key) => ({ key, name: nameOf(key), file: null })),
    ...files.map((file) => ({ key: file.key, name: nameOf(file.key), file })),
  ];
}
