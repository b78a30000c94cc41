import assert from "node:assert/strict";
import { test } from "node:test";
import { GraphQLInt } from "graphql";
import { billedOf } from "./billing.ts";

test("the billed seconds of any number of Pods are an integer of GraphQL", () => {
  for (const runMs of [0, 1_499, 30 * 86_400_000 * 1_000]) {
    const { timeBilledSeconds } = billedOf({ at: 0, micros: 0, runMs });
    assert.equal(GraphQLInt.serialize(timeBilledSeconds), timeBilledSeconds);
  }
});
