// Every file that the documentation names exists, and every identifier that it sets in backticks
// stands somewhere in the code. The same holds for the comments that open source files.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sources } from "./sources.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const pages = filesBelow("", /\.md$/, (name) => !/^CHANGELOG|^bench\/results\//.test(name));
const code = filesBelow(
  "",
  /\.(?:ts|tsx|mjs|cjs|js|json|ya?ml|sql|graphql|py|txt|toml|sh)$|\/run$/,
);
const words = new Set(
  code
    .filter((file) => !file.endsWith("references.test.ts"))
    .flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []),
);

test("every file that the documentation names exists", () => {
  const dead = pages.flatMap((page) =>
    pathsIn(read(page))
      .filter((each) => !exists(each, page))
      .map((each) => `${page}: ${each}`),
  );
  assert.deepEqual(dead, []);
});

test("the README of a module names each of its folders, unless its folders are nouns", () => {
  const modules = [
    "app",
    "certificates",
    "config",
    "contract",
    "drivers",
    "edge",
    "installation",
    "loops",
    "serve",
  ];
  const missing = modules.flatMap((module) => {
    const text = read(`src/${module}/README.md`);
    return readdirSync(path.join(ROOT, "src", module), { withFileTypes: true })
      .filter((each) => each.isDirectory() && !text.includes(`\`${each.name}/`))
      .map(({ name }) => `src/${module}/${name}`);
  });
  assert.deepEqual(missing, []);
});

test("every file that the README of a module names exists", () => {
  const dead = pages
    .filter((page) => /^src\/\w+\/README\.md$/.test(page))
    .flatMap((page) =>
      [...read(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)]
        .filter(([, name]) => !exists(name!, page))
        .map(([, name]) => `${page}: ${name}`),
    );
  assert.deepEqual(dead, []);
});

/** Options of other projects' clients, which the documentation explains. */
const foreign = new Set(["apiUrl", "restApiUrl"]);

test("every identifier in backticks in the documentation exists in the code", () => {
  const unknown = pages.flatMap((page) =>
    identifiersIn(read(page))
      .filter((each) => !words.has(each) && !foreign.has(each))
      .map((each) => `${page}: ${each}`),
  );
  assert.deepEqual(unknown, []);
});

test("every file and identifier that an opening comment names exists", () => {
  const wrong = sources("src", "console/src", "test", "bench", "sim").flatMap(({ file, lines }) => {
    const comment = lines
      .slice(
        0,
        lines.findIndex((line) => !line.startsWith("//")),
      )
      .join("\n");
    const dead = pathsIn(comment).filter((each) => !exists(each, file));
    const unknown = identifiersIn(comment).filter((each) => !words.has(each));
    return [...dead, ...unknown].map((each) => `${file}: ${each}`);
  });
  assert.deepEqual(wrong, []);
});

const planted: [text: string, paths: string[], identifiers: string[]][] = [
  ["see `src/store/nowhere.ts`", ["src/store/nowhere.ts"], []],
  ["see [it](docs/none.md#part)", ["docs/none.md"], []],
  ["edge/http/none.ts and `noSuchName()`", ["edge/http/none.ts"], ["noSuchName"]],
  ["`api.useNothing` and `npm start`", [], ["useNothing"]],
  ["https://example.com/docs/a.md and `flows/<noun>/<verb>.ts`", [], []],
];

for (const [text, paths, identifiers] of planted) {
  test(`a breach is detected in: ${text}`, () => {
    assert.deepEqual(
      pathsIn(text).filter((each) => !exists(each, "README.md")),
      paths,
    );
    assert.deepEqual(
      identifiersIn(text).filter((each) => !words.has(each)),
      identifiers,
    );
  });
}

const TOP = "src|test|bench|sim|bin|console|docs|examples|compose|packages|deploy";
const MODULE =
  "app|base|cassette|certificates|cli|config|contract|domain|drivers|edge|flows|installation|loops|serve|store|transactions";
const PATH = new RegExp(
  `(?<![\\w./:@-])(?:\\.\\.?/)*(?:${TOP}|${MODULE})/[\\w.<>*{},/-]*[\\w>*}/]`,
  "g",
);
const LINK = /\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g;

/**
 * What looks like a file or folder of this repository; patterns with a placeholder are left out.
 */
function pathsIn(text: string): string[] {
  const prose = text.replace(/https?:\/\/\S+/g, " ");
  const found = [...prose.matchAll(PATH)].map(([each]) => each);
  const linked = [...prose.matchAll(LINK)].map(([, each]) => each!);
  // Placeholders, and what only a build creates, name no file of the repository.
  const named = [...new Set([...found, ...linked])];
  return named.filter((each) => !/[<>*{},]|\.\.\.|\/dist\//.test(each));
}

function exists(name: string, from: string): boolean {
  const places = [name, `src/${name}`, path.posix.join(path.posix.dirname(from), name)];
  if (from.startsWith("src/")) places.push(`src/${from.split("/")[1]}/${name}`);
  return places.some((place) =>
    ["", ".ts", ".tsx", ".mjs"].some((extension) => existsSync(path.join(ROOT, place + extension))),
  );
}

/** `name`, `name()` or `a.name`: the last part, where it is written as code is. */
function identifiersIn(text: string): string[] {
  const quoted = [...text.replace(/```[\s\S]*?```/g, " ").matchAll(/`([^`\n]+)`/g)];
  return quoted.flatMap(([, each]) => {
    const name = /^(?:[\w$]+\.)*([A-Za-z_$][\w$]*)(?:\(\))?$/.exec(each!)?.[1];
    return name && /[a-z][A-Z]|^[A-Z][a-z]+[A-Z]|\(\)$/.test(each!) ? [name] : [];
  });
}

function filesBelow(
  folder: string,
  name: RegExp,
  keep: (file: string) => boolean = () => true,
): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter(
      ({ name: each }) =>
        !/^(?:node_modules|dist.*|generated|\.git|\.venvs|\.freehold|\.cache)$/.test(each),
    )
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(file, name, keep);
      return entry.isFile() && name.test(`/${entry.name}`) && keep(file) ? [file] : [];
    });
}
