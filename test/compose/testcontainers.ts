// The modules for Testcontainers of both test kits, as the documentation shows them, with Freehold's image.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildTestKit, writeVariables } from "../../bin/release/npm.mjs";
import { codeBlocksFor } from "../docs/code-blocks.ts";
import { pythonWithTestcontainers } from "../sdk/python-environment.ts";

const root = path.join(import.meta.dirname, "..", "..");
// The container that removes others after a crash would be pulled from a registry.
const WITHOUT_REAPER = { TESTCONTAINERS_RYUK_DISABLED: "true" };

const blocksOf = (page: string, language: "python" | "ts") =>
  codeBlocksFor("test/compose/containers.test.ts", page, language);

/** The program of a page with the image of the test. */
const withImage = (block: string, image: string) =>
  block.replace('FreeholdContainer("freehold")', `FreeholdContainer(${JSON.stringify(image)})`);

export async function typescriptStory(t: TestContext, image: string): Promise<void> {
  buildTestKit();
  const folder = emptyFolder(t);
  const module = path.join(root, "dist", "testing", "lib", "testcontainers.js");
  const file = path.join(folder, "page.ts");
  const env = { ...process.env, ...WITHOUT_REAPER };
  const check = `
import assert from "node:assert/strict";
assert.equal(freehold.variables.RUNPOD_ENDPOINT_BASE_URL, \`\${freehold.url}/v2\`);
`;
  for (const page of ["docs/testing.md", "packages/testing/README.md"]) {
    const [block = ""] = blocksOf(page, "ts");
    const program = withImage(block, image)
      .replace("freehold-testing/testcontainers", pathToFileURL(module).href)
      .replace(/^await freehold\.stop/m, `${check}$&`)
      .replace(/^await freehold\.call/m, "const job = $&");
    writeFileSync(file, `${program}console.log(job.output.message);\n`);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    assert.equal(stdout.trim(), "Hello, you!", page);
  }
}

export async function pythonStory(t: TestContext, image: string): Promise<void> {
  const python = pythonWithTestcontainers(t);
  if (!python) return;
  const folder = emptyFolder(t);
  const name = "pytest_freehold";
  cpSync(path.join(root, "packages", "pytest", name), path.join(folder, name), { recursive: true });
  writeVariables(path.join(folder, name, "variables.json"));
  const modules = [folder, path.join(root, "packages", "python")].join(path.delimiter);
  const env = { ...process.env, ...WITHOUT_REAPER, PYTHONPATH: modules };
  const [block = ""] = blocksOf("docs/testing.md", "python");
  const program = `${withImage(block, image)}
    assert freehold.variables["RUNPOD_ENDPOINT_BASE_URL"] == freehold.url + "/v2"
    print(job["output"]["message"])
`;
  const { stdout } = await promisify(execFile)(python, ["-c", program], { env });
  assert.equal(stdout.trim(), "Hello, you!");
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-kit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
