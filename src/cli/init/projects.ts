// The files of a worker's project, in each language.

/** How a README names the folder of Freehold's packages, which no registry has. */
export const RELEASE = "RELEASE";

export interface ProjectFiles {
  /** Text by file name. */
  files: Record<string, string>;
  /** What to do next, with Freehold's packages in the folder of this name. */
  steps: (release: string) => ProjectStep[];
  /** The end of the names of those packages. */
  packages: ".whl" | ".tgz";
}

/** What for, and the command. */
export type ProjectStep = readonly [what: string, command: string];

const INPUT = { input: { name: "you" } };

const PYTHON_KITS = ["freehold", "pytest-freehold"];
const JAVASCRIPT_KITS = ["freehold", "freehold-worker", "freehold-testing"];

const stepsOf = (
  name: string,
  file: string,
  test: string,
  install: ProjectStep[],
): ProjectStep[] => [
  ...install,
  ["try", `freehold dev ${file}`],
  ["test", test],
  ["release", `freehold deploy ${file} --name ${name}`],
  ["use", `freehold run ${name} '${JSON.stringify(INPUT.input)}'`],
];

const pythonSteps = (name: string) => (release: string) =>
  stepsOf(name, "handler.py", "pytest", [
    ["isolate", "python3 -m venv .venv && . .venv/bin/activate"],
    ["install", `pip install -r requirements.txt ${release}/*.whl`],
  ]);

export const pythonProject = (name: string): ProjectFiles => ({
  steps: pythonSteps(name),
  packages: ".whl",
  files: {
    "handler.py": `"""The worker of the endpoint ${name}: \`handler\` gets each job."""

import runpod


def handler(job):
    name = job["input"].get("name")
    if not name:
        return {"error": "the input has no name"}
    return {"message": f"Hello, {name}"}


if __name__ == "__main__":
    runpod.serverless.start({"handler": handler})
`,
    "test_handler.py": `"""Runs the worker on a Freehold of its own: \`pytest\`."""

import pytest
from handler import handler


@pytest.fixture(scope="session")
def endpoint(freehold):
    with freehold.endpoint(handler) as endpoint:
        yield endpoint


def test_the_worker_greets(endpoint):
    job = endpoint.runsync({"name": "you"})
    assert job["output"] == {"message": "Hello, you"}


def test_a_job_without_a_name_fails(endpoint):
    job = endpoint.runsync({}, check=False)
    assert (job["status"], job["error"]) == ("FAILED", "the input has no name")
`,
    "test_input.json": json(INPUT),
    "requirements.txt": "runpod\n",
    ".gitignore": ".freehold/\n.venv/\n__pycache__/\n.pytest_cache/\n",
    "README.md": readme(name, "handler.py", pythonSteps(name)(RELEASE), PYTHON_KITS),
  },
});

const javascriptSteps = (name: string) => (release: string) =>
  stepsOf(name, "worker.js", "npm test", [["install", `npm install --save-dev ${release}/*.tgz`]]);

export const javascriptProject = (name: string): ProjectFiles => ({
  steps: javascriptSteps(name),
  packages: ".tgz",
  files: {
    "worker.js": `// The worker of the endpoint ${name}: the handler gets each job.

import { serve } from "freehold-worker";

await serve({
  handler({ input }) {
    if (!input.name) throw new Error("the input has no name");
    return { message: \`Hello, \${input.name}\` };
  },
});
`,
    "worker.test.js": `// Runs the worker on a Freehold of its own: \`npm test\`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startFreehold } from "freehold-testing";

let freehold;
let endpoint;
before(async () => {
  freehold = await startFreehold();
  endpoint = await freehold.endpoint("worker.js");
});
after(() => freehold?.stop());

test("the worker greets", async () => {
  const job = await endpoint.runsync({ name: "you" });
  assert.deepEqual(job.output, { message: "Hello, you" });
});

test("a job without a name fails", async () => {
  const job = await endpoint.runsync({}, { check: false });
  assert.equal(job.status, "FAILED");
  assert.match(job.error, /the input has no name/);
});
`,
    "test_input.json": json(INPUT),
    "package.json": json({
      name,
      private: true,
      type: "module",
      scripts: { test: "node --test" },
    }),
    ".gitignore": ".freehold/\nnode_modules/\n",
    "README.md": readme(name, "worker.js", javascriptSteps(name)(RELEASE), JAVASCRIPT_KITS),
  },
});

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function readme(name: string, file: string, steps: readonly ProjectStep[], kits: string[]): string {
  const width = Math.max(...steps.map(([, command]) => command.length)) + 2;
  const commands = steps.map(([what, command]) => `${command.padEnd(width)}# ${what}`).join("\n");
  const listed = `${kits.slice(0, -1).join("`, `")}\` and \`${kits.at(-1)}`;
  return `# ${name}

A worker for Freehold, and for every service that speaks the same queue. Each job calls the handler in \`${file}\`.

\`\`\`sh
${commands}
\`\`\`

\`${RELEASE}\` is the folder with Freehold's packages \`${listed}\`: \`dist/release\` of a clone, after
\`npm run release\`. The test starts a service of its own on a free port and removes it at the end; it needs no account
and no container engine.

\`test_input.json\` is the job that \`freehold dev\` shows.
`;
}
