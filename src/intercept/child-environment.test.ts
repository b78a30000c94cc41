// The variables of a command under interception.

import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment } from "./child-environment.ts";

const interception = {
  proxy: "http://127.0.0.1:40123",
  tlsAddress: "127.0.0.1:40124",
  nodePreload: "/run/node-preload.cjs",
  pythonPath: "/run/python",
  roots: "/run/roots.pem",
  authority: "/run/ca.pem",
  trustStore: null,
  key: "fh_key",
};

test("exceptions that would lead to the hosted service are dropped, others stay", () => {
  const NO_PROXY = "*, intranet.example.org ,api.runpod.io,.runpod.ai, notrunpod.io";
  const result = childEnvironment({ NO_PROXY }, interception);
  const expected = "localhost,127.0.0.1,::1,.localhost,intranet.example.org,notrunpod.io";
  assert.equal(result.NO_PROXY, expected);
  assert.equal(result.no_proxy, expected);
});

test("options for Node and Java that are already set stay in front", () => {
  const own = {
    NODE_OPTIONS: "--no-warnings",
    JAVA_TOOL_OPTIONS: "-Xmx1g",
    PATH: "/bin",
    PYTHONPATH: "/own",
  };
  const result = childEnvironment(own, { ...interception, trustStore: "/run/java roots" });
  assert.equal(result.NODE_OPTIONS, '--no-warnings --require "/run/node-preload.cjs"');
  assert.match(result.JAVA_TOOL_OPTIONS!, /^-Xmx1g .*-Dhttps\.proxyPort=40123/);
  assert.equal(result.PATH, "/bin");
  assert.equal(result.PYTHONPATH, "/run/python:/own");
});

test("AWS_CA_BUNDLE is changed only where it is set, since programs with their own transport fail by it", () => {
  const result = childEnvironment({}, interception);
  assert.ok(!("AWS_CA_BUNDLE" in result));
  // The libraries of Python and Go read these instead.
  assert.equal(result.REQUESTS_CA_BUNDLE, interception.roots);
  assert.equal(result.SSL_CERT_FILE, interception.roots);
  const own = childEnvironment({ AWS_CA_BUNDLE: "/own.pem" }, interception);
  assert.equal(own.AWS_CA_BUNDLE, interception.roots);
});
