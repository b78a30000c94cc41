// A Freehold in a container, for tests that use Testcontainers. The image is the one that the repository's Dockerfile builds.

import { randomBytes } from "node:crypto";
import {
  AbstractStartedContainer,
  GenericContainer,
  type StartedTestContainer,
  Wait,
} from "testcontainers";
import { Client } from "./client.ts";

const PORT = 8700;
const SOCKET = "/var/run/docker.sock";

export class FreeholdContainer extends GenericContainer {
  readonly #key: string = `fh_${randomBytes(20).toString("hex")}`;

  constructor(image = "freehold") {
    super(image);
    this.withExposedPorts(PORT)
      .withEnvironment({ FREEHOLD_API_KEY: this.#key, FREEHOLD_DRIVERS: "process,simulated" })
      .withWaitStrategy(Wait.forHttp("/readyz", PORT));
  }

  /** Pods and workers run as containers of the engine that runs this one. */
  withContainerEngine(socket: string = SOCKET): this {
    return this.withUser("root")
      .withBindMounts([{ source: socket, target: SOCKET }])
      .withEnvironment({ FREEHOLD_DRIVERS: "docker" });
  }

  override async start(): Promise<StartedFreeholdContainer> {
    return new StartedFreeholdContainer(await super.start(), this.#key);
  }
}

export class StartedFreeholdContainer extends AbstractStartedContainer {
  /** The address at which the test reaches the service. */
  readonly url: string;
  readonly key: string;
  /** The variables that point clients to this service. */
  readonly variables: Record<string, string>;
  /** The JSON of an answer to a request with the key. Rejects if the request is refused. */
  readonly call: Client["call"];

  constructor(started: StartedTestContainer, key: string) {
    super(started);
    const client = new Client(`http://${started.getHost()}:${started.getMappedPort(PORT)}`, key);
    this.url = client.url;
    this.key = key;
    this.variables = client.variables;
    this.call = (...request) => client.call(...request);
  }
}
