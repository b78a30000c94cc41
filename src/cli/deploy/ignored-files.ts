// Which files of a build context are left out: the rules of its .dockerignore, read as the engines read them.

import { existsSync, readFileSync } from "node:fs";
import dockerignore from "@balena/dockerignore";
import { Refusal } from "../../base/refusal.ts";

/**
 * The rules for a folder whose Dockerfile is generated: nothing that a worker needs, in the syntax of .dockerignore. The
 * folder's own .dockerignore follows, so that it can take one back.
 */
const USUAL_RULES = [
  ["**/.git", "**/.hg", "**/.svn"],
  ["**/.venv", "**/venv", "**/node_modules", "**/__pycache__", "**/*.py[co]"],
  ["**/.cache", "**/.*_cache", "**/.tox", "**/.nox", "**/.ipynb_checkpoints", "**/.DS_Store"],
  ["**/.env*", "**/.idea", "**/.vscode"],
  [".dockerignore", "Dockerfile*"],
].flat();

/** An escaped character and a class in brackets stay; the others have no meaning in these rules, but one in a RegExp. */
const ESCAPED_CLASS_OR_LITERAL = /\\.|\[[^\]]*\]|[+(){}|^]/gs;

export function readRules(file: string, isGenerated: boolean): string[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const rules = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [index, rule] of rules.entries()) requirePattern(rule, `${file}:${index + 1}`);
  return [...(isGenerated ? USUAL_RULES : []), ...rules];
}

/** Engines refuse it too, such as a class in brackets that does not end. */
function requirePattern(rule: string, place: string): void {
  try {
    ignoredBy([rule])("a");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(`${place}: "${rule}" is no pattern; write "\\[" for a bracket itself`);
  }
}

/** Paths are below the context's folder, with forward slashes; upper and lower case differ. */
export function ignoredBy(rules: readonly string[]): (name: string) => boolean {
  const ignored = dockerignore.default({ ignorecase: false }).add(rules.map(withLiterals));
  return (name) => ignored.ignores(name);
}

/** The library makes a RegExp of a rule without escaping what is literal in it: `c++` would be none, and `(a)` would mean `a`. */
function withLiterals(rule: string): string {
  return rule.replace(ESCAPED_CLASS_OR_LITERAL, (part) => (part.length === 1 ? `\\${part}` : part));
}
