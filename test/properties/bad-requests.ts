// Requests of every kind that must be rejected, over every route of the queue and of the workers.
// Each names its error, so that a failure names it too.

import fc from "fast-check";
import { limits } from "../../src/domain/protocol.ts";
import { brokenBody, wrongSubmission } from "./bad-bodies.ts";
import { brokenHttp } from "./broken-http.ts";
import { bytesOf, type RawRequest } from "./raw-http.ts";

/** The resources of the service that receives the requests. */
export interface Scene {
  endpointId: string;
  key: string;
  worker: { id: string; key: string };
  /** Another worker of the same endpoint, and the job it holds. */
  other: { id: string; key: string; jobId: string };
  /** A job in the queue. */
  queuedId: string;
}

export interface Bad {
  what: string;
  bytes: Buffer;
}

type HttpMethod = "GET" | "POST";

const submits = ["run", "runsync"];
const reads = ["status", "status-sync", "stream"];
const changes = ["cancel", "retry"];
const polls = ["job-take", "job-take-batch", "job-stop", "ping"];
const posts = ["job-done", "job-stream"];

export function badRequests(scene: Scene): fc.Arbitrary<Bad> {
  const requests = new Requests(scene);
  return fc.oneof(
    { weight: 3, arbitrary: requests.wrongKey() },
    { weight: 2, arbitrary: requests.wrongMethod() },
    { weight: 3, arbitrary: requests.wrongAddress() },
    { weight: 3, arbitrary: requests.wrongQuery() },
    { weight: 6, arbitrary: requests.brokenJson() },
    { weight: 6, arbitrary: requests.wrongShape() },
    { weight: 4, arbitrary: requests.lyingWorker() },
    { weight: 4, arbitrary: brokenHttp(scene) },
  );
}

/** Large requests, which are sent once each. */
export function largeRequests(scene: Scene): Bad[] {
  const { endpointId, key } = scene;
  const filled = (bytes: number) => `{"input":{"a":"${"x".repeat(bytes - 17)}"} }`;
  const submit = (operation: string, bytes: number) =>
    bad(`${operation} with ${bytes} bytes`, {
      ...authorized("POST", `/v2/${endpointId}/${operation}`, key),
      body: filled(bytes),
    });
  const result = (route: string, bytes: number) =>
    bad(`${route} with ${bytes} bytes for a job of another worker`, {
      ...authorized("POST", workerRoute(scene, route, scene.other.jobId), scene.worker.key),
      body: `"${"x".repeat(bytes - 2)}"`,
    });
  return [
    submit("run", limits.runBytes + 1),
    submit("runsync", limits.runsyncBytes + 1),
    result("job-done", limits.resultBytes + 1),
    result("job-stream", limits.resultBytes + 1),
    bad("a run that announces more than anybody sends", {
      ...authorized("POST", `/v2/${endpointId}/run`, key, { "content-length": "99999999999" }),
    }),
  ];
}

function bad(what: string, request: RawRequest): Bad {
  return {
    what: `${what}: ${request.method} ${request.target.slice(0, 120)}`,
    bytes: bytesOf(request),
  };
}

function authorized(
  method: string,
  target: string,
  key: string,
  headers: Record<string, string> = {},
): RawRequest {
  return { method, target, headers: { authorization: key, ...headers } };
}

function workerRoute({ endpointId, worker }: Scene, route: string, jobId: string): string {
  const job = posts.includes(route) ? `/${jobId}` : "";
  return `/v2/${endpointId}/${route}/${worker.id}${job}`;
}

class Requests {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Every route with a valid method and address. */
  #routes(): { method: HttpMethod; target: string; key: string }[] {
    const { endpointId, key, queuedId, worker } = this.#scene;
    const queue = `/v2/${endpointId}`;
    const client = (method: HttpMethod, route: string) => ({
      method,
      target: `${queue}/${route}`,
      key,
    });
    const work = (method: HttpMethod) => (route: string) => {
      const target = workerRoute(this.#scene, route, queuedId);
      return { method, target, key: worker.key };
    };
    return [
      ...[...submits, "purge-queue", "openai/v1/chat/completions"].map((r) => client("POST", r)),
      ...reads.flatMap((r) => [
        client("GET", `${r}/${queuedId}`),
        client("POST", `${r}/${queuedId}`),
      ]),
      ...changes.map((r) => client("POST", `${r}/${queuedId}`)),
      ...["health", "metrics", "requests"].map((r) => client("GET", r)),
      ...polls.map(work("GET")),
      ...posts.map(work("POST")),
    ];
  }

  wrongKey(): fc.Arbitrary<Bad> {
    const { key, worker, other } = this.#scene;
    const credential = fc.oneof(
      fc.constant(null),
      fc.constantFrom("", "Bearer", "Bearer ", "Basic Og==", `${key}x`, key.slice(0, -1), "null"),
      fc.string({ minLength: 1, maxLength: 80, unit: visible }),
    );
    const wrong = fc.tuple(fc.constantFrom(...this.#routes()), credential);
    const foreign = fc.constantFrom(...this.#routes()).map((route) => {
      const theirs = route.key === worker.key ? fc.constantFrom(key, other.key) : worker.key;
      return [route, typeof theirs === "string" ? theirs : other.key] as const;
    });
    return fc.oneof(wrong, foreign).map(([{ method, target }, sentKey]) => {
      const headers: Record<string, string> = sentKey === null ? {} : { authorization: sentKey };
      return bad(`the key "${sentKey}"`, { method, target, headers });
    });
  }

  wrongMethod(): fc.Arbitrary<Bad> {
    const any = this.#routes().filter(({ target }) => !target.includes("/openai/"));
    const method = fc.constantFrom("PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE");
    const odd = fc.tuple(fc.constantFrom(...any), method);
    const swapped = any
      .filter(({ target }) => !reads.some((read) => target.includes(`/${read}/`)))
      .map((route) => [route, route.method === "GET" ? "POST" : "GET"] as const);
    return fc.oneof(odd, fc.constantFrom(...swapped)).map(([{ target, key }, sent]) => {
      return bad("a method that the route does not take", authorized(sent, target, key));
    });
  }

  wrongAddress(): fc.Arbitrary<Bad> {
    const { endpointId, key } = this.#scene;
    const id = fc.oneof(
      fc.string({ minLength: 1, maxLength: 30, unit: webhookRequest }).map((text) => `no-${text}`),
      fc.constantFrom(
        "%00",
        "a%00b",
        "..%2f",
        "%2e%2e",
        "a.b",
        "a%20b",
        "%F0%9F%98%80",
        "%27%22;--",
      ),
      fc.constantFrom("x".repeat(65), "x".repeat(600), "%", "%zz", "%E0%A4%A", "~", "$ID", "*"),
    );
    const job = fc.constantFrom("status", "status-sync", "stream", "cancel", "retry");
    const submit = { body: '{"input":{}}' };
    return fc.oneof(
      id.map((each) =>
        bad("endpoint", { ...authorized("POST", `/v2/${each}/run`, key), ...submit }),
      ),
      fc
        .tuple(job, id)
        .map(([route, each]) =>
          bad("job", authorized("POST", `/v2/${endpointId}/${route}/${each}`, key)),
        ),
      id.map((each) => bad("no route", authorized("GET", `/v2/${endpointId}/x-${each}`, key))),
      fc
        .constantFrom("/v3", "/v2", "/v2/", "/v2//", "/v2/a", "/..", "/%2e%2e/x", "/V2/x/run", "*")
        .map((target) => bad("no route", authorized("GET", target, key))),
    );
  }

  wrongQuery(): fc.Arbitrary<Bad> {
    const { endpointId, key, queuedId } = this.#scene;
    const number = fc.oneof(
      fc.constantFrom("abc", "1e999", "NaN", "Infinity", "--1", "0x", "1,5", "%00", "1&NAME=2"),
      fc.string({ minLength: 1, maxLength: 10, unit: webhookRequest }).map((text) => `n${text}`),
    );
    const query = fc.oneof(
      fc.tuple(fc.constant("status"), fc.constant("ttl"), number),
      fc.tuple(fc.constant("status-sync"), fc.constant("wait"), number),
      fc.tuple(fc.constant("stream"), fc.constantFrom("wait", "from", "format"), number),
      fc.tuple(fc.constant("stream"), fc.constant("from"), fc.constantFrom("-1", "-1e300")),
      fc.tuple(fc.constant("status"), fc.constant("ttl"), fc.constantFrom("0", "5", "999", "1e12")),
      fc.tuple(fc.constant("requests"), fc.constantFrom("before", "limit", "status"), number),
    );
    return query.map(([route, name, value]) => {
      const job = route === "requests" ? "" : `/${queuedId}`;
      const pair = `${name}=${value.replace("NAME", name)}`;
      const target = `/v2/${endpointId}/${route}${job}?${pair}`;
      return bad("a query", authorized("GET", target, key));
    });
  }

  brokenJson(): fc.Arbitrary<Bad> {
    return fc
      .tuple(this.#bodyRoute(), brokenBody, contentType)
      .map(([route, [why, body], type]) =>
        bad(why, { ...authorized("POST", route.target, route.key, type), body }),
      );
  }

  wrongShape(): fc.Arbitrary<Bad> {
    const { endpointId, key } = this.#scene;
    return fc
      .tuple(fc.constantFrom(...submits), wrongSubmission, contentType)
      .map(([operation, body, type]) => {
        const request = authorized("POST", `/v2/${endpointId}/${operation}`, key, type);
        return bad(body.slice(0, 80), { ...request, body });
      });
  }

  lyingWorker(): fc.Arbitrary<Bad> {
    const { endpointId, worker, other, queuedId } = this.#scene;
    const id = fc.oneof(
      fc.constantFrom(other.id, "$ID", "%24RUNPOD_POD_I", `${worker.id}x`, "-", "x".repeat(200)),
      fc.string({ minLength: 1, maxLength: 20, unit: webhookRequest }).map((text) => `no-${text}`),
    );
    const job = fc.constantFrom(other.jobId, queuedId, "no-such-job", "$ID", "x".repeat(300));
    const body = fc.constantFrom('{"output":1}', '{"error":"e"}', "null", "{}");
    const another = fc
      .tuple(fc.constantFrom(...polls), id)
      .map(([route, each]) =>
        bad("another's name", authorized("GET", `/v2/${endpointId}/${route}/${each}`, worker.key)),
      );
    const elsewhere = fc
      .constantFrom(...polls)
      .map((route) =>
        bad(
          "another endpoint",
          authorized("GET", `/v2/elsewhere/${route}/${worker.id}`, worker.key),
        ),
      );
    const stolen = fc.tuple(fc.constantFrom(...posts), job, body).map(([route, jobId, text]) => {
      const target = workerRoute(this.#scene, route, jobId);
      return bad("another's job", { ...authorized("POST", target, worker.key), body: text });
    });
    return fc.oneof(another, elsewhere, stolen);
  }

  /** Routes that read a body. A worker's own post accepts any JSON. */
  #bodyRoute(): fc.Arbitrary<{ target: string; key: string }> {
    const { endpointId, key, worker, other } = this.#scene;
    const client = submits.map((route) => ({ target: `/v2/${endpointId}/${route}`, key }));
    const work = posts.map((route) => ({
      target: workerRoute(this.#scene, route, other.jobId),
      key: worker.key,
    }));
    return fc.constantFrom(...client, ...work);
  }
}

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const webhookRequest = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789");

const contentType = fc.constantFrom<Record<string, string>>(
  {},
  { "content-type": "application/json" },
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": ";;;" },
  { "content-type": "application/json", "content-encoding": "gzip" },
);
