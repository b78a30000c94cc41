// What is read of the two headers, by the rules of W3C Trace Context.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readTraceContext,
  storedContext,
  storedFields,
  traceFields,
  traceText,
} from "./trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const valid = `00-${TRACE}-${SPAN}-01`;

// a traceparent, and what is passed on of it
const parents: [traceparent: unknown, passedOn: string | null][] = [
  [valid, valid],
  [` ${valid} `, valid],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`00-${TRACE}-${SPAN}-03`, `00-${TRACE}-${SPAN}-03`],
  [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-03`],
  [`cc-${TRACE}-${SPAN}-01`, valid],
  [`cc-${TRACE}-${SPAN}-01-more`, valid],
  [`cc-${TRACE}-${SPAN}-01more`, null],
  [`ff-${TRACE}-${SPAN}-01`, null],
  [`${valid}-more`, null],
  [`${valid}, ${valid}`, null],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, null],
  [`00-${"0".repeat(32)}-${SPAN}-01`, null],
  [`00-${TRACE}-${"0".repeat(16)}-01`, null],
  [`00-${TRACE}-${SPAN}`, null],
  [`00-${TRACE.slice(1)}-${SPAN}-01`, null],
  ["", null],
  [undefined, null],
  [7, null],
];

for (const [traceparent, passedOn] of parents) {
  test(`of the traceparent ${traceparent} ${passedOn ?? "nothing"} is passed on`, () => {
    const context = readTraceContext({ traceparent });
    assert.equal(context && traceFields(context).traceparent, passedOn);
  });
}

const member = (n: number, chars: number) => `k${n}=`.padEnd(chars, "v");
const many = (count: number, chars: number) =>
  Array.from({ length: count }, (_, n) => member(n, chars)).join(",");

// a tracestate, and what is passed on of it
const states: [name: string, tracestate: unknown, passedOn: string | undefined][] = [
  ["one member", "congo=t61rcWkgMzE", "congo=t61rcWkgMzE"],
  ["spaces and empty members", " a=1 ,\tb=2 ,, ", "a=1,b=2"],
  ["a tenant", "fw529a3039@dt=FfAAAA, 0t@sys=x", "fw529a3039@dt=FfAAAA,0t@sys=x"],
  ["inner spaces", "a=b c", "a=b c"],
  ["no value", "a=", undefined],
  ["no equals sign", "a", undefined],
  ["a second equals sign", "a=b=c", undefined],
  ["a key in capitals", "A=1", undefined],
  ["a repeated key", "a=1,a=2", undefined],
  ["a value beyond ASCII", "a=ü", undefined],
  ["32 members", many(32, 8), many(32, 8)],
  ["33 members", many(33, 8), undefined],
  ["more than 512 characters", many(20, 40), many(12, 40)],
  [
    "a long member among short ones",
    `${member(0, 250)},${many(10, 40)}`.replace("k0", "z0"),
    many(10, 40),
  ],
  ["only members that are too long", many(3, 250), undefined],
  ["nothing", "", undefined],
  ["no text", undefined, undefined],
];

for (const [name, tracestate, passedOn] of states) {
  test(`a tracestate with ${name}`, () => {
    const context = readTraceContext({ traceparent: valid, tracestate });
    assert.equal(traceFields(context!).tracestate, passedOn);
  });
}

test("what is stored of a context is read again", () => {
  for (const tracestate of ["a=b c,d=1", undefined]) {
    const context = readTraceContext({ traceparent: valid, tracestate })!;
    const text = traceText(context);
    assert.deepEqual(storedContext(text), context);
    assert.deepEqual(storedFields(text), traceFields(context));
  }
});
