// `freehold reservations feed`: the address that a calendar program subscribes to.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { Refused } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printDone, printJson, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";

interface Values extends CommonValues {
  rotate?: boolean;
  revoke?: boolean;
}

export function addReservationFeed(program: Program): void {
  const command = program
    .command("feed")
    .description("print your calendar feed's address, once, for a calendar program")
    .option("--rotate", "print a new address; the previous one ends")
    .option("--revoke", "end the address");
  addCommonOptions(command).action(printFeed);
}

async function printFeed(values: Values): Promise<void> {
  const { rotate = false, revoke = false } = values;
  if (rotate && revoke) throw new UsageError("--rotate and --revoke exclude each other");
  const service = await serviceFor(values);
  if (revoke) {
    await call(service, "DELETE /v1/reservation-feed");
    return printDone("The calendar feed is revoked.", {}, values);
  }
  const feed = rotate ? null : await currentFeed(service);
  if (feed) {
    const state = `Your calendar feed was created at ${feed.createdAt}, and its address was printed then.`;
    return printDone(`${state} --rotate replaces it, --revoke ends it.`, feed, values);
  }
  const created = await call(service, "PUT /v1/reservation-feed");
  if (values.json) return printJson(created);
  write(`${created.url}\n`);
  if (values.quiet) return;
  process.stderr.write("Subscribe to it in a calendar program. It is printed once.\n");
}

async function currentFeed(service: RunningService) {
  try {
    return await call(service, "GET /v1/reservation-feed");
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}
