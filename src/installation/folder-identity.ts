// The ids that a data folder carries: of its installation, and of the machine.

import path from "node:path";
import type { FolderIdentity } from "../domain/installation.ts";
import { savedText, writeSecret } from "./data-folder.ts";

const INSTALLATION_FILE = "installation.id";
export const MACHINE_FILE = "machine.id";

export function folderIdentity(folder: string): FolderIdentity {
  return {
    installation: savedText(path.join(folder, INSTALLATION_FILE)) || null,
    machine: savedText(path.join(folder, MACHINE_FILE)) || null,
  };
}

export function setInstallation(folder: string, installation: string): void {
  writeSecret(path.join(folder, INSTALLATION_FILE), installation);
}
