// A client's suite runs twice: on a real container engine, and on a machine without one, where Pods and workers are simulated.

import { type TestContext, test } from "node:test";
import { type ContainerService, startContainerService } from "../docker/container-service.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";

/** A service with an image that runs a shell, or the name of one. */
export interface ClientService extends TestService, Pick<ContainerService, "shellImage"> {}

const simulated = async (t: TestContext, options: ServiceOptions): Promise<ClientService> => ({
  ...(await startService(t, { drivers: "simulated", ...options })),
  shellImage: "example/shell:1",
});

export function testOnBoth(
  name: string,
  options: ServiceOptions,
  body: (t: TestContext, service: () => Promise<ClientService>) => Promise<void>,
): void {
  test(name, { skip: skipReason }, (t) => body(t, () => startContainerService(t, options)));
  test(`${name}, without an engine`, (t) => body(t, () => simulated(t, options)));
}
