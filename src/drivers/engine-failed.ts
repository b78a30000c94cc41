// The error of a start that failed in an engine for no cause which is known to be the workload's.

import { StartRefused } from "./driver.ts";

/** The next start may succeed: an engine that is being stopped or restarts refuses starts with words of many kinds. */
export class EngineFailed extends StartRefused {}
