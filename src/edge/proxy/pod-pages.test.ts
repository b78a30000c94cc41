import assert from "node:assert/strict";
import { test } from "node:test";
import { balancerUrl } from "../balancer/balancer-urls.ts";
import { podPages } from "./pod-pages.ts";

const place = { domain: null, pathOrigin: "http://127.0.0.1:8701", isPathLocal: false };
const byName = (proxyDomain: string) => ({ proxyDomain, proxyUrl: null });

const OWN = ["http://127.0.0.1:8700", "http://localhost:8700", "http://[::1]:8700"];
const OTHERS = ["http://10.0.0.5:8700", "https://gpu.lan", "http://[fd00::5]:8700"];

for (const called of OWN) {
  test(`a client that called ${called} reaches Pods by names below localhost`, () => {
    assert.deepEqual(podPages(place, new URL(called)), byName("proxy.localhost"));
  });
}

for (const called of OTHERS) {
  test(`a client that called ${called} reaches Pods and endpoints by path, at the same host`, () => {
    const { hostname } = new URL(called);
    const expected = { proxyDomain: null, proxyUrl: `http://${hostname}:8701` };
    assert.deepEqual(podPages(place, new URL(called)), expected);
    assert.equal(balancerUrl(place, "ep", called), `http://${hostname}:8701/lb/ep`);
  });

  test(`a client that called ${called} reaches no Pod while the path listener is on loopback`, () => {
    const none = { proxyDomain: null, proxyUrl: null };
    assert.deepEqual(podPages({ ...place, isPathLocal: true }, new URL(called)), none);
    assert.deepEqual(podPages({ ...place, pathOrigin: null }, new URL(called)), none);
  });

  test(`a domain for Pods serves a client that called ${called}`, () => {
    const own = { ...place, domain: "pods.example.org" };
    assert.deepEqual(podPages(own, new URL(called)), byName("pods.example.org"));
  });
}
