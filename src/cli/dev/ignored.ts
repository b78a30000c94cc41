// Changes below the watched folder that are not saves: what tools and handlers write there.

import path from "node:path";

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
