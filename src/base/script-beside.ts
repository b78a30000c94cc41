// The scripts that are loaded by path, of threads for example. They are TypeScript in the sources and JavaScript in a package.

import path from "node:path";

/** The script of this name in the module's folder, with the module's extension. `url` is the module's own. */
export const scriptBeside = (url: string, name: string): URL =>
  new URL(`${name}${path.extname(new URL(url).pathname)}`, url);
