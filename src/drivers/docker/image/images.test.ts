import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../../base/clock.ts";
import { StartAborted } from "../../driver.ts";
import type { Engine } from "../engine.ts";
import { type ImageOptions, Images } from "./images.ts";

test("a start that was stopped gets no image, also if the engine has it", async () => {
  const inspect = async () => ({ Id: "sha256:1", RepoTags: ["acme/llm:1"], RepoDigests: [] });
  const docker = { getImage: () => ({ inspect }) };
  const engine = { callWithin: (call: (of: typeof docker) => unknown) => call(docker) };
  const options = { imageMarks: { areMarked: async () => false } } as unknown as ImageOptions;
  const { signal } = new AbortController();
  const images = new Images(engine as unknown as Engine, new VirtualClock(), signal, options);
  const workload = { image: "acme/llm:1", account: "a" };
  assert.match(await images.ensure(workload, () => {}, signal), /acme\/llm:1$/);
  await assert.rejects(
    images.ensure(workload, () => {}, AbortSignal.abort()),
    StartAborted,
  );
});
