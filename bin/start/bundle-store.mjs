// The bundles of this clone's code in .cache/start: which one is current, and which ones run. A bundle is current while
// every file that it was made of, and every file of its own, is as it was.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";

export const folder = path.join(root, ".cache", "start");
const manifestFile = path.join(folder, "current.json");
/** Of this file and of the code that makes bundles; a bundle of another version is not used. */
const VERSION = 1;

/** Returns the folder of the current bundle, after entering this process as one that runs it; null without one. */
export function openBundle() {
  const bundle = currentBundle();
  if (bundle === null) return null;
  try {
    enterProcess(bundle);
    return bundle;
  } catch {
    return null; // this user may not write to it, and so could not keep it from being removed
  }
}

export function currentBundle() {
  try {
    const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
    return isCurrent(manifest) ? manifest.bundle : null;
  } catch {
    return null; // there is none
  }
}

/** The root is compared because a bundle names the files that its code reads by their paths. */
const isCurrent = ({ version, root: madeIn, files }) =>
  version === VERSION &&
  madeIn === root &&
  Object.entries(files).every(([file, state]) => stateOf(file)?.text === state);

/**
 * Returns what changes with a file's content, and the instant of the last change; null without the file. A program can set
 * a file's time of modification, but not that of its inode. Packages go without that one, because it also changes when an
 * installer links their files into another project; an installation changes their inodes.
 */
function stateOf(file) {
  const stat = statSync(path.resolve(root, file), { throwIfNoEntry: false });
  if (!stat) return null;
  const { size, ino, mtimeMs } = stat;
  const inodeMs = file.includes("node_modules") ? 0 : stat.ctimeMs;
  return { text: `${size} ${ino} ${mtimeMs} ${inodeMs}`, changedMs: Math.max(mtimeMs, inodeMs) };
}

/**
 * Makes a bundle of these files the current one, unless one of them changed after `unchangedSinceMs`. False if so.
 */
export function publishBundle(bundle, inputs, unchangedSinceMs) {
  const states = inputs.map((file) => [file, stateOf(file)]);
  if (states.some(([, state]) => !state || state.changedMs >= unchangedSinceMs)) return false;
  const own = readdirSync(bundle).filter((name) => /\.js(?:\.map)?$/.test(name));
  for (const name of own) {
    const file = path.relative(root, path.join(bundle, name));
    sync(path.join(bundle, name));
    states.push([file, stateOf(file)]);
  }
  const files = Object.fromEntries(states.map(([file, state]) => [file, state.text]));
  const next = `${manifestFile}-${process.pid}`;
  writeFileSync(next, JSON.stringify({ version: VERSION, root, bundle, files }));
  sync(next);
  renameSync(next, manifestFile);
  return true;
}

/** A file whose name outlives a power cut must not lack its content. */
function sync(file) {
  const descriptor = openSync(file, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Returns the folder of a new bundle, with this process entered. */
export function newBundle() {
  const bundle = path.join(folder, `bundle-${Date.now().toString(36)}-${process.pid}`);
  mkdirSync(path.join(bundle, "processes"), { recursive: true });
  enterProcess(bundle);
  return bundle;
}

/** The folder of a bundle stays while a process runs it, because parts of the code load with their first use. */
function enterProcess(bundle) {
  const entry = path.join(bundle, "processes", String(process.pid));
  writeFileSync(entry, "");
  process.on("exit", () => rmSync(entry, { force: true }));
}

/** Removes the bundles that are not current and that no process runs. */
export function removeOldBundles() {
  const { bundle: current } = JSON.parse(readFileSync(manifestFile, "utf8"));
  for (const name of readdirSync(folder)) {
    const bundle = path.join(folder, name);
    if (!name.startsWith("bundle-") || bundle === current) continue;
    if (readdirSync(path.join(bundle, "processes")).some(isRunning)) continue;
    rmSync(bundle, { recursive: true, force: true });
  }
}

export function isRunning(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM"; // another user's
  }
}
