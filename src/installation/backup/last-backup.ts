// The note of the last backup, which `freehold backup` leaves in the data folder for the service.

import { chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BackupNote } from "../../flows/installation/read.ts";

const NOTE = "last-backup.json";

type Note = Omit<BackupNote, "isPresent">;

export function noteBackup(folder: string, file: string): void {
  const { size, mtimeMs } = statSync(file);
  const note: Note = { file: path.resolve(file), bytes: size, at: Math.round(mtimeMs) };
  const place = path.join(folder, NOTE);
  try {
    writeFileSync(`${place}.new`, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    const { uid, gid } = statSync(folder);
    // Where root makes the backup, the service's user reads the note.
    if (process.getuid?.() === 0) chownSync(`${place}.new`, uid, gid);
    renameSync(`${place}.new`, place);
  } catch {
    // The backup is good, also from a folder that takes no note.
  }
}

export function lastBackupOf(folder: string): BackupNote | null {
  try {
    const note: Note = JSON.parse(readFileSync(path.join(folder, NOTE), "utf8"));
    return { ...note, isPresent: existsSync(note.file) };
  } catch {
    return null;
  }
}
