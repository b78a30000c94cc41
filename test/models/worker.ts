// A worker that answers each job with the text of a file in its Hugging Face cache, and tries to write there.

import type { TestService } from "../fixtures/service/service.ts";

export const CONTAINER_HUB = "/runpod-volume/huggingface-cache/hub";

export const MODEL_READER = `
const { RUNPOD_AI_API_KEY: key, RUNPOD_WEBHOOK_GET_JOB: take, RUNPOD_WEBHOOK_POST_OUTPUT: post } = process.env;
const { readFileSync, writeFileSync } = require("node:fs");
const hub = process.env.HF_HUB_CACHE ?? "${CONTAINER_HUB}";
process.on("SIGTERM", () => process.exit(0));
const read = ({ repository, file }) => {
  const root = hub + "/" + repository;
  const commit = readFileSync(root + "/refs/main", "utf8");
  const target = root + "/snapshots/" + commit + "/" + file;
  const text = readFileSync(target, "utf8");
  let written = "yes";
  try { writeFileSync(target, "other"); } catch (error) { written = error.code; }
  return { commit, text, written, offline: process.env.HF_HUB_OFFLINE };
};
(async () => {
  for (;;) {
    const answer = await fetch(take, { headers: { authorization: key } });
    if (answer.status !== 200) continue;
    const { id, input } = await answer.json();
    let output;
    try { output = read(input); } catch (error) { output = { error: String(error) }; }
    const body = JSON.stringify({ output });
    await fetch(post.replaceAll("$ID", id), { method: "POST", headers: { authorization: key }, body });
  }
})();`;

/** The id of a new endpoint on CPUs with models. */
export async function makeModelEndpoint(
  service: TestService,
  template: object,
  modelReferences: string[],
  settings: object = {},
): Promise<string> {
  const name = `reader ${Math.random()}`;
  const created = await service.call("POST", "/v1/templates", {
    name,
    isServerless: true,
    containerDiskInGb: 1,
    ...template,
  });
  const { status, json } = await service.call("POST", "/v1/endpoints", {
    templateId: created.json.id,
    computeType: "CPU",
    vcpuCount: 2,
    workersMax: 1,
    modelReferences,
    ...settings,
  });
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json.id;
}

export async function readFileOf(service: TestService, id: string, model: string, file: string) {
  const repository = `models--${model.replace("/", "--")}`;
  const path = `/v2/${id}/runsync?wait=120000`;
  const { json } = await service.call("POST", path, { input: { repository, file } });
  return json.output as {
    commit: string;
    text: string;
    written: string;
    offline?: string;
    error?: string;
  };
}
