// The files of a Pod, as SFTP needs them: by the programs of its container, or by the simulated Pod itself.

import type { ContainerFiles } from "./container-files.ts";
import type { FileWriter } from "./file-writer.ts";

export type PodFileWriter = Pick<FileWriter, "write" | "flush" | "abandon">;

export interface PodFiles extends Omit<ContainerFiles, "writer"> {
  writer(path: string, isAppending: boolean): PodFileWriter;
}
