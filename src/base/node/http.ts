// Node's HTTP. An `import` of `node:http` reads all that it exports, and some of it loads Node's client of HTTP and
// WebSocket: 14 MB of memory and 30 ms of CPU time at each start.

const http = process.getBuiltinModule("node:http");

export const { Agent, createServer, request, ServerResponse, STATUS_CODES } = http;
export const { validateHeaderName, validateHeaderValue } = http;

export type Agent = InstanceType<typeof Agent>;
export type ServerResponse = InstanceType<typeof ServerResponse>;
