import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../../config/catalog/read.ts";
import { idsOf } from "../../catalog/catalog.ts";
import { poolsOf } from "../../catalog/gpu-ids.ts";
import { type EndpointSpec, endpointDefaults } from "../endpoint.ts";
import type { EndpointRequest } from "../endpoint-request.ts";
import { keepAny, keepFraction, keepGpuOrder } from "./keep.ts";

const catalog = builtInCatalog();
const everyPool = poolsOf(catalog).flatMap(({ gpuTypeIds }) => gpuTypeIds);
const specOf = (spec: Partial<EndpointSpec>): EndpointSpec => ({ ...endpointDefaults, ...spec });

test("a whole number keeps the fraction that it stands for", () => {
  const rows: [before: number, request: EndpointRequest, scalerValue: number | undefined][] = [
    [2.5, { scalerValue: 3 }, 2.5],
    [0.5, { scalerValue: 1 }, 0.5],
    [2.5, { scalerValue: 2 }, 2],
    [3, { scalerValue: 3 }, 3],
    [2.5, {}, undefined],
    [2.5, { scalerValue: 3, scalerType: "QUEUE_DELAY" }, 2.5],
    [2.5, { scalerValue: 3, scalerType: "REQUEST_COUNT" }, 3],
  ];
  for (const [before, request, scalerValue] of rows) {
    const result = keepFraction(request, specOf({ scalerValue: before }));
    assert.deepEqual(result.scalerValue, scalerValue, JSON.stringify(request));
  }
});

test("pools keep the order of the types that they stand for", () => {
  const rows: [before: string[], gpuTypeIds: string[] | undefined, after: string[] | undefined][] =
    [
      [
        ["B", "A"],
        ["A", "B"],
        ["B", "A"],
      ],
      [["B", "A"], ["A"], ["A"]],
      [
        ["B", "A"],
        ["A", "C"],
        ["A", "C"],
      ],
      [["B"], undefined, undefined],
      [[], everyPool.toReversed(), []],
      [[], ["A"], ["A"]],
    ];
  for (const [before, gpuTypeIds, after] of rows) {
    const request = gpuTypeIds ? { gpuTypeIds } : {};
    const { gpuTypeIds: result } = keepGpuOrder<EndpointRequest>(
      catalog,
      request,
      specOf({ gpuTypeIds: before }),
    );
    assert.deepEqual(result, after);
  }
});

test("a list of all data centers keeps that any is allowed", () => {
  const all = idsOf(catalog.dataCenters);
  const anywhere = specOf({ dataCenterIds: [] });
  assert.deepEqual(keepAny(catalog, { dataCenterIds: all }, anywhere), { dataCenterIds: [] });
  assert.deepEqual(keepAny(catalog, { dataCenterIds: all.slice(1) }, anywhere), {
    dataCenterIds: all.slice(1),
  });
  const listed = specOf({ dataCenterIds: all });
  assert.deepEqual(keepAny(catalog, { dataCenterIds: all }, listed), { dataCenterIds: all });
});
