// The blocks of Python, TypeScript and JavaScript of the documentation, and which test file runs which of them.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..", "..");

export interface CodeBlock {
  page: string;
  language: "python" | "ts" | "js";
  text: string;
}

/** Blocks of a page in one language; with a pattern, those that it matches. */
interface Selection {
  page: string;
  language: CodeBlock["language"];
  pattern?: RegExp;
}

const IN_CONTAINER = /testcontainers/;
const NOT_IN_CONTAINER = /^(?!.*testcontainers)/s;

/** The blocks that each test file runs. */
const selections: Record<string, Selection[]> = {
  "test/package/documented-code.test.ts": [
    { page: "docs/ci.md", language: "python" },
    { page: "docs/testing.md", language: "python", pattern: NOT_IN_CONTAINER },
    { page: "docs/testing.md", language: "ts", pattern: NOT_IN_CONTAINER },
    { page: "docs/tracing.md", language: "python" },
    { page: "docs/tracing.md", language: "ts" },
    { page: "docs/webhooks.md", language: "js" },
    { page: "docs/worker-library.md", language: "ts" },
    { page: "packages/pytest/README.md", language: "python" },
    { page: "packages/testing/README.md", language: "ts", pattern: NOT_IN_CONTAINER },
    { page: "packages/worker/README.md", language: "ts" },
  ],
  "test/compose/containers.test.ts": [
    { page: "docs/testing.md", language: "python", pattern: IN_CONTAINER },
    { page: "docs/testing.md", language: "ts", pattern: IN_CONTAINER },
    { page: "packages/testing/README.md", language: "ts", pattern: IN_CONTAINER },
  ],
  "test/docker/flash-client.test.ts": [{ page: "docs/flash.md", language: "python" }],
};

/** Every block of a program in the documentation. */
export function codeBlocks(): CodeBlock[] {
  return pages().flatMap((page) =>
    [
      ...readFileSync(path.join(ROOT, page), "utf8").matchAll(
        /^( *)```(python|ts|js)\n(.*?)^ *```$/gms,
      ),
    ].map(([, indent, language, code]) => ({
      page,
      language: language as CodeBlock["language"],
      text: code!.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    })),
  );
}

/** The blocks of a page that the test file runs, in the order of the page. */
export function codeBlocksFor(
  file: string,
  page: string,
  language: CodeBlock["language"],
): string[] {
  const texts = codeBlocks()
    .filter((block) => block.page === page && block.language === language)
    .filter((block) => filesThatRun(block).includes(file))
    .map(({ text }) => text);
  if (texts.length === 0) throw new Error(`${page} has no block of ${language} for ${file}`);
  return texts;
}

export function filesThatRun({ page, language, text }: CodeBlock): string[] {
  const isSelected = (each: Selection) =>
    each.page === page && each.language === language && (each.pattern ?? /^/).test(text);
  return Object.keys(selections).filter((file) => selections[file]!.some(isSelected));
}

function pages(): string[] {
  const folders = ["", "docs", ...readdirSync(path.join(ROOT, "packages")).map(packageFolder)];
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.posix.join(folder, name)),
  );
}

const packageFolder = (name: string) => `packages/${name}`;
