// Hugging Face's own client: it finds the models of a worker in the cache without a connection, and it
// downloads from the stand-in of the hub as from the real one.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { addCleanup } from "../fixtures/cleanup.ts";
import { commitOf, type HubModel, sha256Of, startModelHub } from "../fixtures/model-hub.ts";
import { startService } from "../fixtures/service/service.ts";
import { pythonWithHub } from "../sdk/python-environment.ts";
import { makeModelEndpoint } from "./worker.ts";

const run = promisify(execFile);
const weights = randomBytes(200_000);
const model: HubModel = { files: { "config.json": '{"a": 1}', "sub/w.safetensors": weights } };

/** Prints where a snapshot is, its files and the hash of its weights. */
const READER = `
import hashlib, json, os, sys
from huggingface_hub import hf_hub_download, snapshot_download
local = sys.argv[1] == "local"
folder = snapshot_download("o/n", local_files_only=local)
weights = hf_hub_download("o/n", "sub/w.safetensors", local_files_only=local)
config = json.load(open(os.path.join(folder, "config.json")))
digest = hashlib.sha256(open(weights, "rb").read()).hexdigest()
print(json.dumps({"commit": os.path.basename(folder), "config": config, "digest": digest}))
`;

const expected = { commit: commitOf("o/n"), config: { a: 1 }, digest: sha256Of(weights) };

test("the client reads the cache of a worker without a connection", async (t) => {
  const python = pythonWithHub(t);
  if (!python) return;
  const hub = await startModelHub(t, { "o/n": model });
  const env = { FREEHOLD_MODEL_SOURCE: hub.origin };
  const service = await startService(t, { replicas: null, drivers: "process", env });
  // Runs the client once and posts what it printed.
  const worker = `
import json, os, subprocess, sys, urllib.request
printed = subprocess.run([sys.executable, "-c", ${JSON.stringify(READER)}, "local"], capture_output=True, text=True)
key = os.environ["RUNPOD_AI_API_KEY"]
def call(url, data=None):
    return urllib.request.urlopen(urllib.request.Request(url, data, {"authorization": key, "content-type": "application/json"}))
job = json.load(call(os.environ["RUNPOD_WEBHOOK_GET_JOB"]))
output = json.dumps({"output": printed.stdout or printed.stderr}).encode()
call(os.environ["RUNPOD_WEBHOOK_POST_OUTPUT"].replace("$ID", job["id"]), output)
`;
  const template = { imageName: "none", dockerStartCmd: [python, "-c", worker] };
  const id = await makeModelEndpoint(service, template, ["o/n"]);
  const path = `/v2/${id}/runsync?wait=120000`;
  const { json } = await service.call("POST", path, { input: { a: 1 } });
  assert.deepEqual(JSON.parse(json.output), expected);
});

test("the client downloads from the stand-in of the hub", async (t) => {
  const python = pythonWithHub(t);
  if (!python) return;
  const hub = await startModelHub(t, { "o/n": model });
  const home = mkdtempSync(path.join(tmpdir(), "freehold-hub-"));
  addCleanup(t, () => rmSync(home, { recursive: true, force: true }));
  const env = { HF_ENDPOINT: hub.origin, HF_HOME: home, HF_HUB_DISABLE_XET: "1" };
  const { stdout } = await run(python, ["-c", READER, "remote"], { env });
  assert.deepEqual(JSON.parse(stdout), expected);
});
