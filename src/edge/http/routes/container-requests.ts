// Which requests came over a listener of containers. Those of a machine over SSH arrive from a loopback address.

import type { IncomingMessage } from "node:http";

const requests = new WeakSet<IncomingMessage>();

export const noteContainerRequest = (request: IncomingMessage): void => void requests.add(request);

export const isContainerRequest = (request: IncomingMessage): boolean => requests.has(request);
