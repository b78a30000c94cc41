// Tests of the OpenAPI document: the committed one equals the served one, it contains exactly the
// client routes, and the reference page shows it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { builtInCatalog } from "../../src/config/catalog/read.ts";
import { openapi } from "../../src/contract/openapi.ts";
import { openapiV2 } from "../../src/contract/rest-v2/openapi.ts";
import { catalogNames } from "../../src/domain/catalog/catalog.ts";
import { openWindow, skipReason } from "../console/browser.ts";
import { documentedPath } from "../fixtures/routes.ts";
import { startService } from "../fixtures/service/service.ts";
import { DOCUMENT, DOCUMENT_V2 } from "./pages.ts";

/**
 * Routes that are not for clients: those of workers and replicas, probes, metrics, and page files; and those of S3,
 * whose operations Amazon describes.
 */
const NOT_FOR_CLIENTS =
  /^\/graphql|^\/flash\/(?:up|down)loads\/|^\/v2\/:endpointId\/(job-take|job-take-batch|job-stop|job-done|job-stream|ping)\/|^\/(healthz|readyz|metrics|docs|docs\/search\.json|docs\/\*|llms\.txt|tls\/root\.pem|oidc\/start|oidc\/callback|oidc\/back-channel-logout|v1\/docs\/:file|v2\/docs\/start\.js)$|^\/(?:replica|s3)\//;

const names = catalogNames(builtInCatalog());

const documents = [
  { version: "v1", file: DOCUMENT, build: openapi, served: () => openapi(names) },
  { version: "v2", file: DOCUMENT_V2, build: openapiV2, served: openapiV2 },
];

for (const { version, file, build, served: buildServed } of documents) {
  test(`the committed document of ${version} is the one that is served`, async (t) => {
    const service = await startService(t);
    const served = await fetch(`${service.origin}/${version}/openapi.json`);
    assert.equal(served.status, 200);
    assert.match(served.headers.get("content-type") ?? "", /^application\/json/);
    const document = (await served.json()) as ReturnType<typeof openapi>;
    assert.deepEqual(document, JSON.parse(JSON.stringify(buildServed())));
    const committed = JSON.parse(readFileSync(file, "utf8"));
    assert.deepEqual(committed, JSON.parse(JSON.stringify(build())), "run npm run generate");
    assert.equal(document.openapi, "3.1.0");
  });

  test(`the document of ${version} is one, as an independent validator sees it`, async () => {
    const document = JSON.parse(readFileSync(file, "utf8"));
    const { valid, errors } = await new Validator().validate(document);
    assert.deepEqual([valid, errors], [true, undefined]);
  });
}

// openapi-python-client 0.29.1 names the class of an object in a field after its schema and the field, and leaves out every
// operation that needs a schema in which two classes have one name.
for (const { version, file } of documents) {
  test(`no schema of ${version} has the name of another one's field`, () => {
    const { schemas } = JSON.parse(readFileSync(file, "utf8")).components;
    const fieldsOf = ([title, { properties = {} }]: [string, { properties?: object }]) =>
      Object.entries(properties)
        .filter(([, { type, enum: values }]) => values || [type].flat().includes("object"))
        .map(([field]) => title + field[0]!.toUpperCase() + field.slice(1));
    const names = Object.entries<object>(schemas).flatMap(fieldsOf);
    assert.ok(names.length > 10);
    assert.deepEqual(
      names.filter((name) => name in schemas),
      [],
    );
  });
}

// openapi-python-client 0.29.1 names the members of an enumeration in capitals, and makes no client at all of a document in
// which two have one name.
for (const { version, file } of documents) {
  test(`no two values of an enumeration of ${version} differ in their case alone`, () => {
    const enumerations: string[][] = [];
    JSON.parse(readFileSync(file, "utf8"), (key, value) => {
      if (key === "enum" && Array.isArray(value)) enumerations.push(value.map(String));
      return value;
    });
    assert.ok(enumerations.length > 10);
    const distinct = (values: string[]) => new Set(values.map((each) => each.toLowerCase())).size;
    assert.deepEqual(
      enumerations.filter((values) => distinct(values) < values.length),
      [],
    );
  });
}

// openapi-python-client 0.29.1 makes a reader that takes the constant alone of a union of a number and a range.
for (const { version, file } of documents) {
  test(`no union of ${version} mixes a number with a range`, () => {
    type Branch = { const?: unknown };
    const mixed: Branch[][] = [];
    let unions = 0;
    JSON.parse(readFileSync(file, "utf8"), (key, value) => {
      if (key !== "anyOf" || !Array.isArray(value)) return value;
      unions++;
      const constants = value.filter((branch: Branch) => typeof branch.const === "number").length;
      if (constants > 0 && constants < value.length) mixed.push(value);
      return value;
    });
    assert.ok(unions > 3);
    assert.deepEqual(mixed, []);
  });
}

test("fields that take names of the catalog list them", () => {
  const { schemas } = openapi(names).components;
  type Fields = Record<string, { enum?: string[]; items?: { enum?: string[] } }>;
  const fieldsOf = (title: string) => (schemas![title] as { properties: Fields }).properties;
  const pod = fieldsOf("PodCreateInput");
  assert.deepEqual(pod.gpuTypeIds!.items!.enum, names.gpuTypes);
  assert.deepEqual(pod.cpuFlavorIds!.items!.enum, names.cpuFlavors);
  assert.deepEqual(pod.dataCenterIds!.items!.enum, names.dataCenters);
  assert.deepEqual(pod.allowedCudaVersions!.items!.enum, names.cudaVersions);
  const endpoint = fieldsOf("EndpointCreateInput");
  assert.deepEqual(endpoint.cpuFlavorIds!.items!.enum, ["cpu3c", "cpu3g", "cpu5c", "cpu5g"]);
  assert.deepEqual(fieldsOf("NetworkVolumeCreateInput").dataCenterId!.enum, names.dataCenters);
});

test("the version of the interface is 0.1.0, as specified", () => {
  assert.equal(openapi().info.version, "0.1.0");
});

/** GraphQL has its own schema, and HEAD answers as GET does. */
test("the document contains exactly the client routes", async (t) => {
  const service = await startService(t);
  const routes = service.service.routes
    .filter(({ method, path }) => method !== "HEAD" && !NOT_FOR_CLIENTS.test(path))
    .map(({ method, path }) => `${method} ${documentedPath(path)}`);
  const described = [openapi(), openapiV2()].flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  assert.deepEqual(described.sort(), routes.sort());
});

for (const { version, build } of documents) {
  const name = `${version}: every reference has its schema, every schema is referred to, and ids are used once`;
  test(name, () => holdsTogether(build()));
}

function holdsTogether(document: ReturnType<typeof openapi>): void {
  const text = JSON.stringify(document);
  const referred = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, n]) => n),
  );
  assert.deepEqual([...referred].sort(), Object.keys(document.components.schemas!).sort());
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const methods of Object.values(document.paths)) {
    for (const { tags: used } of Object.values(methods)) assert.ok(tags.includes(used[0]!));
  }
}

for (const version of ["v1", "v2"]) {
  const name = `the reference page of ${version} and its scripts come from this origin`;
  test(name, (t) => showsReference(t, version));
}

async function showsReference(t: TestContext, version: string): Promise<void> {
  const service = await startService(t);
  const page = await fetch(`${service.origin}/${version}/docs`);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
  const text = await page.text();
  const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  assert.deepEqual(links, [
    "data:,",
    `/${version}/openapi.json`,
    "/v1/docs/scalar.js",
    `/${version}/docs/start.js`,
  ]);
  for (const script of links.slice(2)) {
    const { status, headers } = await fetch(service.origin + script);
    assert.equal(status, 200, script);
    if (script.startsWith("/v1/")) assert.equal(headers.get("content-encoding"), "gzip", script);
    assert.match(headers.get("content-type") ?? "", /^text\/javascript/);
  }
  assert.equal((await fetch(`${service.origin}/v1/docs/..%2fpage.ts`)).status, 404);
}

const BACKGROUND = "getComputedStyle(document.body).backgroundColor";

for (const theme of ["light", "dark"] as const) {
  const name = `in Chromium the reference shows every tag in ${theme} colors and asks no other host`;
  test(name, { skip: skipReason }, async (t) => {
    const service = await startService(t);
    const { page, errors } = await openWindow(t, service, { theme });
    await page.goto("/v1/docs");
    for (const { name } of openapi().tags) {
      await page.locator("aside").getByText(name, { exact: true }).first().waitFor();
    }
    await page.getByRole("heading", { name: "Pods" }).first().waitFor();
    const background = await page.evaluate<string>(BACKGROUND);
    const red = Number(/rgb\((\d+)/.exec(background)?.[1]);
    assert.equal(red > 127, theme === "light", background);
    const pictures = process.env.FREEHOLD_TEST_PICTURES;
    if (pictures) await page.screenshot({ path: path.join(pictures, `reference-${theme}.png`) });
    assert.deepEqual(errors, []);
  });
}
