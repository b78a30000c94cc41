// Loaded before a handler of `freehold dev`: finds the worker library where the handler's own folders have none.

import { registerHooks } from "node:module";
import path from "node:path";

const PACKAGE = "freehold-worker";
const library = new URL(`../../serve/serve${path.extname(import.meta.filename)}`, import.meta.url)
  .href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== PACKAGE) return nextResolve(specifier, context);
    try {
      return nextResolve(specifier, context);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
      return { url: library, shortCircuit: true };
    }
  },
});
