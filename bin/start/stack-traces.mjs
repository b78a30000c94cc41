// Stack traces of a bundle in lines of the sources. Node's own option reads all source maps at the start, which takes 50 MB;
// here a map is read when a stack trace first needs it.
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export function traceToSources(bundle) {
  const maps = new Map();
  const start = pathToFileURL(bundle).href;

  /** A frame as V8 prints it: `at close (file:///.../chunk-ABC.js:12:34)`. */
  const inSources = (frame) => {
    const [, url, line, column] = /(file:[^()]*\.js):(\d+):(\d+)/.exec(frame) ?? [];
    if (!url?.startsWith(start)) return frame;
    if (!maps.has(url)) maps.set(url, readMap(url));
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column));
    if (!origin?.fileName) return frame;
    const source = new URL(origin.fileName, url).href;
    const place = `${source}:${origin.lineNumber}:${origin.columnNumber}`;
    // A function, because a `$` in a replacement has a meaning.
    return frame.replace(`${url}:${line}:${column}`, () => place);
  };

  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `\n    at ${inSources(String(frame))}`);
    return `${Error.prototype.toString.call(error)}${lines.join("")}`;
  };
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), "utf8")));
  } catch {
    return null;
  }
}
