// A program with the crate of crates.io, built from test/sdk/rust into the cache of test programs.

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { cachedFolder, type Made, madeFor, makeOnce } from "../fixtures/programs/program-cache.ts";

const CRATE = path.join(import.meta.dirname, "rust");

export const RUST_CLIENT = "the Rust client";

/** The path of the program; null without cargo, and the test is skipped. */
export function rustClient(t: TestContext): string | null {
  return madeFor(t, RUST_CLIENT, makeRustClient);
}

export function makeRustClient(): Made {
  if (spawnSync("cargo", ["--version"]).status !== 0) {
    return { problem: "it needs cargo", failed: false };
  }
  const code = readdirSync(path.join(CRATE, "src")).sort();
  const files = ["Cargo.lock", "Cargo.toml", ...code.map((name) => path.join("src", name))];
  const sources = files.map((name) => readFileSync(path.join(CRATE, name)));
  const folder = cachedFolder("rust-client", ...sources);
  const problem = makeOnce(folder, (unfinished) => {
    const manifest = ["--manifest-path", path.join(CRATE, "Cargo.toml")];
    const build = ["build", "--quiet", "--locked", ...manifest, "--target-dir", unfinished];
    try {
      execFileSync("cargo", build, { encoding: "utf8", stdio: "pipe", maxBuffer: 1e8 });
      return null;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const cause = /^error.*/m.exec(stderr ?? "")?.[0] ?? message;
      return { problem: `${RUST_CLIENT} was not built: ${cause}`, failed: true };
    }
  });
  return problem ?? { path: path.join(folder, "debug", "rust-client") };
}
