// The health check of the container image, which has no curl. Exits with 0 if the service on the data
// folder is ready for requests, else with 1.
import { readFileSync } from "node:fs";
import path from "node:path";

try {
  const folder = process.env.FREEHOLD_DATA ?? ".freehold";
  const origin = readFileSync(path.join(folder, "address"), "utf8").trim();
  const { status } = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
