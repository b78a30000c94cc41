// The images that are known to serve OpenAI's interface, and the models that a workload of one serves. Pure.

import type { Workload } from "../../driver.ts";

/** Words of the last part of a repository's name: `worker-v1-vllm` has the word `vllm`. */
const SERVERS = ["vllm", "sglang", "ollama", "lmdeploy", "infinity", "tgi", "localai"];
/** Parts of a repository's name whose words alone say nothing. */
const REPOSITORIES = [
  "text-generation-inference",
  "text-embeddings-inference",
  "llama.cpp",
  "nvcr.io/nim/",
];
/** The first variable that is set names the models, separated by semicolons. */
const MODEL_VARIABLES = [
  "OPENAI_SERVED_MODEL_NAME_OVERRIDE",
  "SERVED_MODEL_NAME",
  "MODEL_NAME",
  "MODEL_NAMES",
  "MODEL_ID",
];
const MODEL_OPTIONS = ["--served-model-name", "--model", "--model-path", "--model-id"];

export function servesOpenai(image: string): boolean {
  const [name = ""] = image.toLowerCase().split("@");
  const repository = name.replace(/:[^/:]*$/, "");
  const words = repository
    .split("/")
    .at(-1)!
    .split(/[^a-z0-9]+/);
  return (
    words.some((word) => SERVERS.includes(word)) ||
    REPOSITORIES.some((part) => repository.includes(part))
  );
}

/** Empty if neither its variables nor its command name a model. */
export function servedModels({ env, entrypoint, command }: Workload): string[] {
  const words = [...entrypoint, ...command];
  const optionValues = MODEL_OPTIONS.flatMap((option) => valuesOf(option, words));
  const [override, ...variables] = MODEL_VARIABLES.map((name) => env[name]?.trim());
  const names = override || optionValues[0] || variables.find(Boolean) || "";
  return names.split(";").flatMap((name) => name.trim() || []);
}

/** The value of an option as `--model NAME` or `--model=NAME`. A variable of a shell's script is none. */
function valuesOf(option: string, words: readonly string[]): string[] {
  const values = words.flatMap((word, index) => {
    if (word.startsWith(`${option}=`)) return word.slice(option.length + 1);
    return word === option ? (words[index + 1] ?? []) : [];
  });
  return values.filter((value) => value !== "" && !value.startsWith("-") && !value.includes("$"));
}
