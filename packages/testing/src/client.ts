// Requests of tests to a Freehold, and the endpoints that they create.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Clock } from "./clock.ts";
import { Endpoint } from "./endpoint.ts";
import { Fault, type FaultOptions } from "./fault.ts";

export interface EndpointOptions {
  name?: string;
  /** The program that runs the script; by default Node, or `python3` for a Python script. */
  command?: string[];
  workers?: number;
  env?: Record<string, string>;
}

const TEMPLATES = JSON.parse(
  readFileSync(new URL("variables.json", import.meta.url), "utf8"),
) as Record<string, string>;

export class Client {
  readonly url: string;
  readonly key: string;
  /** The variables that point clients to this service. */
  readonly variables: Record<string, string>;
  readonly clock: Clock = new Clock(this);

  constructor(origin: string, key: string) {
    this.url = origin;
    this.key = key;
    const filled = (text: string) => text.replaceAll("{origin}", origin).replaceAll("{key}", key);
    const entries = Object.entries(TEMPLATES).map(([name, text]) => [name, filled(text)]);
    this.variables = Object.fromEntries(entries) as Record<string, string>;
  }

  /** The JSON of an answer to a request with the key. Rejects if the request is refused. */
  async call(method: string, route: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(this.url + route, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route} failed with ${answer.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** Switches a fault on, such as "429-storm". */
  fault(name: string, options: FaultOptions = {}): Promise<Fault> {
    return Fault.on(this, name, options);
  }

  /** An endpoint whose workers run this script. */
  async endpoint(script: string, options: EndpointOptions = {}): Promise<Endpoint> {
    const file = path.resolve(script);
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    const name = options.name ?? `test-${process.pid}-${++count}`;
    const { PATH, NODE_PATH, PYTHONPATH, VIRTUAL_ENV } = process.env;
    const handedOn = Object.entries({ PATH, NODE_PATH, PYTHONPATH, VIRTUAL_ENV });
    const template = {
      name: `${name}-template`,
      imageName: "freehold/test",
      driver: "process",
      isServerless: true,
      dockerEntrypoint: ["/bin/sh", "-c", 'cd "$0" && exec "$@"', process.cwd()],
      dockerStartCmd: [...(options.command ?? programOf(file)), file],
      env: { ...Object.fromEntries(handedOn.filter(([, value]) => value)), ...options.env },
    };
    const { id: templateId } = (await this.call("POST", "/v1/templates", template)) as {
      id: string;
    };
    const scale = { workersMin: 1, workersMax: options.workers ?? 1 };
    const spec = { name, templateId, computeType: "CPU", ...scale };
    const { id } = (await this.call("POST", "/v1/endpoints", spec)) as { id: string };
    return new Endpoint(this, id, templateId);
  }
}
let count = 0;

function programOf(file: string): string[] {
  return path.extname(file) === ".py" ? ["python3"] : [process.execPath];
}
