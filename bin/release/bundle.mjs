// Bundles the service and the command line with esbuild, and copies the files that they read.
// All code lies in one folder, and a file's own path in the sources becomes a path below that folder.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, buildSync } from "esbuild";
import { root } from "../with-node.mjs";

/** Loaded by path: the scripts of threads and processes. */
const LOADED_BY_PATH = [
  "src/store/engine/sqlite/checkpoint-thread.ts",
  "src/installation/backup/thread.ts",
  "src/drivers/volume/stat-thread.ts",
  "src/drivers/simulated/shell/thread/shell-thread.ts",
  "src/flows/s3/digest-thread.ts",
  "src/cli/dev/library-hook.ts",
  "src/serve/serve.ts",
  "examples/hello.ts",
];
const SOURCES = /[\\/](?:src|examples)[\\/].*\.ts$/;

const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  legalComments: "none", // the licenses are in a file of their own
  logLevel: "warning",
};

/** What CommonJS packages use and modules do not have. */
const REQUIRE = `import { createRequire as $createRequire } from "node:module";
const require = $createRequire(import.meta.url);`;

const service = {
  ...shared,
  splitting: true,
  chunkNames: "chunk-[hash]",
  banner: { js: REQUIRE },
  // GraphQL's library else looks at each of its objects for a second copy of itself.
  define: { __dirname: "import.meta.dirname", "process.env.NODE_ENV": '"production"' },
};

/**
 * Writes the bundle to `folder`, and returns the folders of the npm packages that are in it.
 */
export async function bundle(folder) {
  const entries = LOADED_BY_PATH.map((file) => [entryName(file), path.join(root, file)]);
  const { metafile } = await build({
    ...service,
    entryPoints: { main: path.join(root, "src/main.ts"), ...Object.fromEntries(entries) },
    outdir: folder,
    metafile: true,
    plugins: [withOwn(belowBundle), withoutNative, requiredHttp, withoutDockerSsh],
  });
  for (const file of LOADED_BY_PATH) writeShim(folder, file);
  copyDataFiles(folder);
  return packagesIn(Object.keys(metafile.inputs));
}

/** What a start of the service or a command loads; test/architecture/start.test.ts has the service's. */
const START_PACKAGES = new Set(["commander", "fastify", "pino", "prom-client", "typebox", "ws"]);

/**
 * Writes the code alone, for starts from this clone, and returns the files that it was made of. What the code reads, the
 * scripts of its threads and the packages that load with their first use stay where they are.
 */
export async function bundleInPlace(folder) {
  const { metafile } = await build({
    ...service,
    absWorkingDir: root,
    entryPoints: { main: path.join(root, "src/main.ts") },
    outdir: folder,
    metafile: true,
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [withOwn(inPlace), withoutLatePackages, withoutNative, requiredHttp],
  });
  return Object.keys(metafile.inputs).filter((file) => !/^(?:absent|required):/.test(file));
}

/** One program of tests in one file. */
export function bundleProgram(entry, file) {
  buildSync({ ...shared, entryPoints: [entry], outfile: file });
}

const entryName = (file) => file.replace(/\.ts$/, "").replaceAll("/", "-");

/** The bundle's code is in one folder, and paths stay what they are in the sources. */
function writeShim(folder, file) {
  const shim = path.join(folder, file.replace(/\.ts$/, ".js"));
  mkdirSync(path.dirname(shim), { recursive: true });
  const up = "../".repeat(file.split("/").length - 1);
  writeFileSync(shim, `export * from "${up}${entryName(file)}.js";\n`);
}

/** Rewrites what a source file knows of its own path, because the bundle merges files. */
const withOwn = (rewrite) => ({
  name: "own-paths",
  setup(builder) {
    builder.onLoad({ filter: SOURCES }, ({ path: file }) => {
      const contents = readFileSync(file, "utf8");
      if (!contents.includes("import.meta.")) return { contents, loader: "ts" };
      return { contents: rewrite(contents, file), loader: "ts" };
    });
  },
});

/** Their path below the bundle. */
function belowBundle(text, file) {
  const own = path.relative(root, file).replaceAll(path.sep, "/").replace(/\.ts$/, ".js");
  return text
    .replaceAll("import.meta.dirname", `(import.meta.dirname + "/${path.posix.dirname(own)}")`)
    .replaceAll("import.meta.filename", `(import.meta.dirname + "/${own}")`)
    .replaceAll("import.meta.url", `new URL("./${own}", import.meta.url).href`);
}

/** Their path in this clone. It is not the replacement itself, in which a `$` has a meaning. */
const inPlace = (text, file) =>
  text
    .replaceAll("import.meta.dirname", () => JSON.stringify(path.dirname(file)))
    .replaceAll("import.meta.filename", () => JSON.stringify(file))
    .replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(file).href));

/**
 * Packages that others load if they are there: native code that only makes them faster, and the engine's image
 * builder and a converter of HTML, which Freehold does not use.
 */
const ABSENT = /^(?:cpu-features|pg-native|bufferutil|utf-8-validate|turndown|@grpc\/.*)$|\.node$/;
const withoutNative = {
  name: "without-native",
  setup(builder) {
    builder.onResolve({ filter: ABSENT }, ({ path: name }) =>
      name.startsWith("@grpc/") || name === "turndown"
        ? { path: name, namespace: "absent" }
        : { path: name, external: true },
    );
    builder.onLoad({ filter: /./, namespace: "absent" }, () => ({
      contents: "module.exports = {};",
    }));
  },
};

/** The packages that the sources load with their first use. */
const withoutLatePackages = {
  name: "without-late-packages",
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path: name, importer, kind }) => {
      const isOurs = kind !== "entry-point" && !importer.includes("node_modules");
      const [packageName] = /^(?:@[^/]+\/)?[^/]+/.exec(name);
      if (!isOurs || name.startsWith("node:") || START_PACKAGES.has(packageName)) return;
      return { path: name, external: true };
    });
  },
};

/**
 * A module that imports `node:http` makes Node load its client of HTTP and WebSocket, for all exports are read; this takes
 * 13 MB and as much time as the rest of Node's own start. What `require` returns loads it at its first use.
 */
const requiredHttp = {
  name: "required-http",
  setup(builder) {
    const namespace = "required";
    builder.onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: "node:http", namespace }));
    builder.onLoad({ filter: /./, namespace }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule("${name}");`,
    }));
  },
};

/** The engine's client loads an SSH client for addresses of `ssh://`, which Freehold reaches with its own. */
const withoutDockerSsh = {
  name: "without-docker-ssh",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]docker-modem[\\/]lib[\\/]ssh\.js$/ }, () => ({
      contents: "module.exports = undefined;",
    }));
  },
};

/** Everything below src/ that is not code, such as migrations and templates, the built console, and the documentation. */
function copyDataFiles(folder) {
  for (const entry of readdirSync(path.join(root, "src"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile() || /\.(?:ts|md)$/.test(entry.name)) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  const page = path.join("console", "dist");
  cpSync(path.join(root, page), path.join(folder, page), { recursive: true });
  copyDocs(folder);
}

/** The pages with the pictures that they show; those that they only link to stay out. */
function copyDocs(folder) {
  const pages = readdirSync(path.join(root, "docs")).filter((name) => /\.(?:md|txt)$/.test(name));
  const files = ["README.md", "docs/grafana", ...pages.map((name) => `docs/${name}`)];
  const texts = files.filter((file) => file.endsWith(".md"));
  const shown = texts.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const links = [...text.matchAll(/!\[[^\]]*\]\(([^)]+\.png)\)/g)].map(([, link]) => link);
    return links.map((link) => path.posix.join(path.posix.dirname(file), link));
  });
  for (const file of [...files, ...new Set(shown)])
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
}

/** The folders of the packages that the inputs are from. */
function packagesIn(inputs) {
  const folders = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const found = new Set(folders.filter((folder) => folder && existsSync(path.join(root, folder))));
  return [...found].sort().map((folder) => path.join(root, folder));
}
