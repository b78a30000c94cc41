// Which changes below the watched folder are no saves: what tools and handlers leave there.

import path from "node:path";

const FOLDERS = new Set(["node_modules", "__pycache__", "site-packages", "venv", "env"]);

/** What editors, compilers and handlers write: backups, logs, pictures, sound, weights, tables. */
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
  // Vim tries a folder out by making a file of this name.
  return name.startsWith(".") || name === "4913" || LEFT_BEHIND.test(name);
}
