// The `freehold` commands of the documentation run as they are shown on a service that has what they name, and succeed.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Ended, freehold } from "../cli/command.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The commands that do not run here, by the reason. */
const elsewhere: Record<string, RegExp> = {
  "it starts a service, or chooses another one":
    /^(up|dev|adopt|backup|restore|move|service|login|context|init|doctor)\b/,
  "it runs a program, or prints for one":
    /^(record|replay|diff|intercept|ssh|deploy|exec|sandboxes exec|cp|ls|open|completion|env)\b/,
  "it changes a machine or a GPU of its own":
    /^(?:machine (?!list)|gpus (?:cordon|uncordon|test|cancel)\b)/,
  "it has no end": /^(logs -f|top$)/,
  "it needs the key of a member": / --mine$/,
  "it names a project of another account": /--account ID --project/,
  "it sends to a host on the internet": /^notifications test\b/,
  "it is a part of a shell script": /[|&<$`]/,
};

function documentedCommands(): string[] {
  const pages = readdirSync(path.join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const lines = ["README.md", ...pages.sort().map((name) => `docs/${name}`)].flatMap((page) => {
    const text = readFileSync(path.join(ROOT, page), "utf8").replaceAll(/\\\n */g, "");
    return [...text.matchAll(/^```(?:sh)?\n(.*?)^```/gms)].flatMap(([, block]) =>
      [...block!.matchAll(/^freehold (.*)$/gm)].map(([, line]) => line!),
    );
  });
  const commands = lines.map((line) => line.replace(/ +[#>].*$/, ""));
  return [...new Set(commands)].filter(
    (line) => !Object.values(elsewhere).some((reason) => reason.test(line)),
  );
}

/** The words as a shell splits them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );

/** A service, and what the examples name on it. */
class Scene {
  readonly #service: TestService;
  /** The folder of the examples' files. */
  readonly #home: string;
  /** The first of each name. */
  readonly #ids = new Map<string, Promise<string>>();

  constructor(service: TestService, home: string) {
    this.#service = service;
    this.#home = home;
  }

  static async set(t: TestContext): Promise<Scene> {
    const service = await startService(t, { ...virtual, drivers: "process,simulated" });
    const home = mkdtempSync(path.join(tmpdir(), "freehold-commands-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(path.join(home, "items.jsonl"), '{"input": {"n": 1}}\n{"input": {"n": 2}}\n');
    writeFileSync(path.join(home, "input.json"), '{"prompt": "a cat"}');
    return new Scene(service, home);
  }

  /** Calls the service, and again where the limit of a minute is used up. */
  async #call(method: string, route: string, body?: object) {
    for (;;) {
      const answer = await this.#service.call(method, route, body);
      if (answer.status !== 429) return answer;
      await advance(this.#service, "1m");
    }
  }

  async create(route: string, body: object): Promise<string> {
    const { status, json, text } = await this.#call("POST", route, body);
    assert.ok(status < 300, `${route} ${text}`);
    return json.id;
  }

  /** What has the name already, or is created. */
  once(name: string, create: () => Promise<string>): Promise<string> {
    const id = this.#ids.get(name) ?? create();
    this.#ids.set(name, id);
    return id;
  }

  pod(name: string): Promise<string> {
    const stopWhenIdle = { minutes: 120 };
    const body = { name, imageName: "acme/pod:1", computeType: "CPU", stopWhenIdle };
    return this.once(name, () => this.create("/v1/pods", body));
  }

  template(name: string): Promise<string> {
    const body = { name: `template of ${name}`, imageName: "acme/shop:1", isServerless: true };
    return this.once(body.name, () => this.create("/v1/templates", body));
  }

  endpoint(name: string, workersMax: number): Promise<string> {
    return this.once(name, async () => {
      const templateId = await this.template(name);
      return this.create("/v1/endpoints", { name, templateId, workersMax });
    });
  }

  /** Another release of an endpoint. */
  async release(endpoint: string, imageName: string): Promise<void> {
    await this.#call("PATCH", `/v1/templates/${await this.template(endpoint)}`, {
      imageName,
    });
  }

  async job(endpoint: string): Promise<string> {
    return this.create(`/v2/${await this.endpoint(endpoint, 2)}/run`, { input: {} });
  }

  /** A job that timed out. */
  async endedJob(): Promise<string> {
    const endpoint = await this.endpoint("idle", 0);
    const id = await this.create(`/v2/${endpoint}/run`, { input: {}, policy: { ttl: 10_000 } });
    await advance(this.#service, "11s");
    return id;
  }

  /** A member, who is invited anew if the last one of the name was removed. */
  async member(name: string): Promise<string> {
    const find = async () =>
      ((await this.#call("GET", "/v1/members")).json as { id: string; name: string }[]).find(
        (each) => each.name === name,
      )?.id;
    const id = await find();
    if (id !== undefined) return id;
    const email = `${name.toLowerCase()}@example.org`;
    const { json: invitation } = await this.#call("POST", "/v1/invitations", {
      email,
      role: "member",
    });
    await this.#call("POST", "/v1/invitations/accept", { token: invitation.token, name });
    return (await find())!;
  }

  async project(name: string): Promise<string> {
    const { json } = await this.#call("GET", "/v1/projects");
    const found = (json as { id: string; name: string }[]).find((each) => each.name === name);
    return found?.id ?? this.create("/v1/projects", { name });
  }

  /** Runs a command, and again where the limit of a minute is used up. */
  async run(line: string): Promise<Ended> {
    const words = wordsOf(line).map((word) =>
      word.replace(/^(@?)(?=[\w-]+\.(?:jsonl?|csv)$)/, (sign) => `${sign}${this.#home}/`),
    );
    const ended = await freehold([...words, "--data", this.#service.dataFolder], {
      cwd: this.#home,
      input: "a value",
    });
    if (!/Too many requests/.test(ended.stderr)) return ended;
    await advance(this.#service, "1m");
    return this.run(line);
  }
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

type Value = (scene: Scene) => Promise<string> | string;

/** What stands for each placeholder of the commands that match: a thing that is there. */
const values: [RegExp, RegExp, Value][] = [
  [
    /^account|--account/,
    /\bID\b/,
    (scene) => scene.once("lab 2", () => scene.create("/v1/accounts", { name: "lab 2" })),
  ],
  [/^projects create/, /\bID\b/g, (scene) => scene.member("Eve")],
  [/^projects/, /\bID\b/g, (scene) => scene.member("Ada")],
  [/^projects create/, /\bvision\b/, () => "search"],
  [
    /^reservations/,
    /\bID\b/,
    (scene) =>
      scene.create("/v1/reservations", {
        gpuTypeId: "NVIDIA A40",
        from: daysFromNow(9),
        until: daysFromNow(10),
      }),
  ],
  [
    /^exemptions/,
    /\bID\b/,
    async (scene) =>
      scene.create("/v1/exemptions", { podId: await scene.pod("box"), reason: "a demo" }),
  ],
  [/^keys create/, /\bID\b/, (scene) => scene.endpoint("shop", 2)],
  [/^keys/, /\bID\b/, (scene) => scene.create("/v1/keys", { name: "ci" })],
  [/^endpoints create/, /\bshop\b/, () => "second-shop"],
  [
    /^rollback shop 3/,
    /shop 3/,
    async (scene) => {
      await scene.endpoint("other-shop", 0);
      await scene.release("other-shop", "acme/shop:2");
      return "other-shop 1";
    },
  ],
  [/^wait 0199/, /0199c2f1-[\w-]+/, (scene) => scene.job("shop")],
  [/./, /9x8w7v|\bTEMPLATE\b/, (scene) => scene.template("shop")],
  [/./, /z1mgb65y91t3qb|\bENDPOINT\b/, (scene) => scene.endpoint("shop", 2)],
  [/./, /xk2p9q|\bPOD\b/, (scene) => scene.pod("box")],
  [/./, /0199c2f1-[\w-]+/, (scene) => scene.endedJob()],
  [/./, /2027-01-01\b/, () => daysFromNow(-7).slice(0, 10)],
  [/./, /2027-01-31T18:00:00Z/, () => daysFromNow(7)],
];

/** What commands name. */
const named: [RegExp, (scene: Scene) => Promise<unknown>][] = [
  [/\bshop\b/, (scene) => scene.endpoint("shop", 2)],
  [/^rollback/, (scene) => scene.release("shop", "acme/shop:2")],
  [/\bbox\b/, (scene) => scene.pod("box")],
  [/\bother-box\b/, (scene) => scene.pod("other-box")],
  [/\btrain\b/, (scene) => scene.pod("train")],
  [/\bmy-notebook\b/, (scene) => scene.pod("my-notebook")],
  [/\bAda\b|\bada@example\.org\b/, (scene) => scene.member("Ada")],
  [/\bGrace\b/, (scene) => scene.member("Grace")],
  [/--project vision|^projects \w+ vision/, (scene) => scene.project("vision")],
  [
    /^volumes delete data/,
    (scene) =>
      scene.create("/v1/networkvolumes", { name: "data", size: 1, dataCenterId: "EU-RO-1" }),
  ],
];

test("the commands of the documentation that need only a service succeed", async (t) => {
  const commands = documentedCommands();
  assert.ok(commands.length > 80, `${commands.length} commands`);
  const scene = await Scene.set(t);
  const refused: string[] = [];
  for (const command of commands) {
    for (const [what, prepare] of named) if (what.test(command)) await prepare(scene);
    let line = command;
    for (const [what, placeholder, value] of values) {
      if (what.test(command) && placeholder.test(line)) {
        line = line.replace(placeholder, await value(scene));
      }
    }
    const { code, stdout, stderr } = await scene.run(line);
    if (code !== 0) refused.push(`freehold ${command}\n${stdout}${stderr}`);
  }
  assert.deepEqual(refused, []);
});
