// A service for sandboxes on the simulated driver, whose time the test moves.

import type { TestContext } from "node:test";
import type { ServiceOptions } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "../rest-v2/ask.ts";

export async function sandboxService(t: TestContext, options: ServiceOptions = {}) {
  const clock = new SkewedClock("2027-03-10T10:05:00Z");
  const service = await simulatedService(t, { ...options, clock, protocol: { heartbeatMs: 50 } });
  const ask = asker(service);
  const settings = {
    name: "simulated",
    imageName: "image",
    driver: "simulated",
    containerDiskInGb: 5,
  };
  const template = await ask("POST", "/v1/templates", settings);
  const inState = (id: string, state: string) =>
    until(async () => {
      const sandbox = await ask("GET", `/v2/sandboxes/${id}`);
      return sandbox.state === state ? sandbox : null;
    });
  return {
    service,
    ask,
    clock,
    inState,
    templateId: template.id as string,
    create: (more: object = {}) =>
      ask("POST", "/v2/sandboxes", { templateId: template.id, ...more }, 201),
    async running(more: object = {}) {
      const created = await ask("POST", "/v2/sandboxes", { templateId: template.id, ...more }, 201);
      return inState(created.id, "RUNNING");
    },
  };
}
