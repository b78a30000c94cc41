// Detects saves: changed files in a folder and below it, collected for a moment, because one save
// is several events and "save all" is several files. A file that no longer exists by then (a
// temporary file of an editor or a tool) does not count.

import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/clock.ts";

const GATHER_MS = 120;

/**
 * A folder with more subfolders is not a handler's; watching all of it would cost more than it
 * helps.
 */
const MOST_FOLDERS = 300;

export interface Saves {
  /** False if there were too many folders to watch them all. */
  all: boolean;
  close(): void;
}

export interface SavesOptions {
  clock: Clock;
  folder: string;
  /** A folder to leave out, such as the data folder. */
  except: string;
}

/** Calls back with the files of each save, as absolute paths in no order. */
export function watchSaves(
  { clock, folder, except }: SavesOptions,
  onSave: (files: string[]) => void,
): Saves {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let gathering: (() => void) | null = null;
  const saves: Saves = { all: true, close };
  add(folder, false);
  return saves;

  /** Files that exist when a new folder appears were saved just now. */
  function add(at: string, isNew: boolean): void {
    if (watchers.has(at) || at === except) return;
    if (watchers.size >= MOST_FOLDERS) {
      saves.all = false;
      return;
    }
    try {
      const watcher = watch(at, (_, name) => note(at, name));
      watcher.on("error", () => forget(at));
      watchers.set(at, watcher);
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        const below = path.join(at, entry.name);
        if (!entry.isDirectory()) {
          if (isNew) gather(below);
        } else if (!ignoredFolder(entry.name)) add(below, isNew);
      }
    } catch {
      forget(at);
    }
  }

  function forget(at: string): void {
    watchers.get(at)?.close();
    watchers.delete(at);
  }

  function note(at: string, name: string | null): void {
    if (name === null) return;
    const file = path.join(at, name);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      if (!ignoredFolder(name)) add(file, true);
      return;
    }
    forget(file); // if it was a folder
    gather(file);
  }

  function gather(file: string): void {
    if (ignoredFile(file)) return;
    changed.add(file);
    gathering?.();
    gathering = clock.after(GATHER_MS, report);
  }

  function report(): void {
    const files = [...changed].filter((file) => statSync(file, { throwIfNoEntry: false }));
    changed.clear();
    if (files.length > 0) onSave(files);
  }

  function close(): void {
    gathering?.();
    for (const watcher of watchers.values()) watcher.close();
  }
}

const FOLDERS = new Set(["node_modules", "__pycache__", "site-packages", "venv", "env"]);

/** What editors, compilers and handlers write: backups, logs, images, audio, weights, tables. */
const LEFT_BEHIND = new RegExp(
  "(?:~|#|\\.(?:pyc|pyo|sw[a-z]|tmp|temp|bak|orig|log|lock|pid|out|" +
    "png|jpe?g|gif|webp|bmp|wav|mp3|ogg|flac|mp4|webm|avi|mov|" +
    "bin|pt|pth|ckpt|safetensors|gguf|onnx|npy|npz|pkl|parquet|arrow|" +
    "db|sqlite3?|db-wal|db-shm|zip|gz|tgz|tar|zst))$",
  "i",
);

export function ignoredFolder(name: string): boolean {
  return name.startsWith(".") || FOLDERS.has(name);
}

export function ignoredFile(file: string): boolean {
  const name = path.basename(file);
  if (name === ".env") return false;
  // Vim creates a file of this name to test whether the folder is writable.
  return name.startsWith(".") || name === "4913" || LEFT_BEHIND.test(name);
}
