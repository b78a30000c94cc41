// Tests of what the limits of a request to a load-balancing endpoint do, to its client and to its record.

import assert from "node:assert/strict";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { Fault } from "../../domain/fault.ts";
import type { EndedRequest } from "../../domain/serving/answer-counts.ts";
import { Call, refuseCall } from "./call.ts";
import { limitCall } from "./call-limits.ts";
import { EventResponse } from "./event-response.ts";

function limitedCall() {
  const clock = new VirtualClock();
  const headers = { host: "e.lb.localhost", "transfer-encoding": "chunked" };
  const rest = { method: "POST", url: "/", httpVersion: "1.1", rawTrailers: [], rawHeaders: [] };
  const request = Object.assign(new PassThrough(), { ...rest, headers, socket: new Socket() });
  const response = new EventResponse(request);
  const records: EndedRequest[] = [];
  const call = new Call(request, response, { record: (_, ended) => records.push(ended) });
  call.endpointId = "e";
  call.limits = { bodyBytes: 4, responseMs: 1_000 };
  limitCall(clock, call, (fault: Fault) => {
    if (call.refused(fault.status)) refuseCall(request, response, fault);
  });
  const received = collect(response);
  return {
    clock,
    request,
    response,
    call,
    /** What the client received, and the record. */
    async result() {
      const types = await received;
      await new Promise(setImmediate);
      return { types, records: records.map(({ status }) => status) };
    },
  };
}

async function collect(response: EventResponse): Promise<(string | number)[]> {
  const types: (string | number)[] = [];
  for await (const event of response.events())
    types.push(event.type === "response" ? event.status : event.type);
  return types;
}

test("a request that a worker does not answer in time is recorded with its refusal", async () => {
  const { clock, result } = limitedCall();
  await clock.advance(1_000);
  assert.deepEqual(await result(), { types: [524, "data", "end"], records: [524] });
});

test("a body that is too large is refused once, whatever follows of it", async () => {
  const { request, result } = limitedCall();
  for (const piece of ["123", "45", "67", "89"]) request.write(piece);
  await new Promise(setImmediate);
  assert.deepEqual(await result(), { types: [413, "data", "end"], records: [413] });
  assert.equal(request.socket.destroyed, false);
  request.write(Buffer.alloc(17 * 1_048_576));
  await new Promise(setImmediate);
  assert.equal(request.socket.destroyed, true);
});

test("an answer that has begun is cut off at the time limit, and recorded as it began", async () => {
  const { clock, call, response, result } = limitedCall();
  call.answered(200);
  response.writeHead(200, "OK", []);
  await clock.advance(1_000);
  assert.deepEqual(await result(), { types: [200, "error"], records: [200] });
});
