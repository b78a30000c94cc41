// The types of the prom-client modules that Freehold loads. The package's index also loads OpenTelemetry,
// the default metrics and the push gateway, which cost a start 170 ms and 17 MB more.

declare module "prom-client/lib/registry.js" {
  export { Registry as default } from "prom-client";
}
declare module "prom-client/lib/counter.js" {
  export { Counter as default } from "prom-client";
}
declare module "prom-client/lib/gauge.js" {
  export { Gauge as default } from "prom-client";
}
declare module "prom-client/lib/histogram.js" {
  export { Histogram as default } from "prom-client";
}
