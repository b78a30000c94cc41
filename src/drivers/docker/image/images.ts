// The images of an engine. A present image is used, a missing one is pulled once for all starts that
// wait for it. An image that was pulled with other credentials is pulled again with the workload's own,
// which transfers nothing but shows that the registry allows it.

import { type Clock, pause } from "../../../base/clock.ts";
import { byNameServer, type Resolve } from "../../../base/name-servers.ts";
import { MINUTE_MS } from "../../../base/units.ts";
import type { Credentials } from "../../../domain/registry-auth.ts";
import type { ReachRule } from "../../../domain/webhook/address.ts";
import { StartAborted, StartRefused, type StartReporter, type Workload } from "../../driver.ts";
import { redactorOf } from "../../redaction.ts";
import { type Engine, messageOf, statusOf, unlessMissing } from "../engine.ts";
import { pullError } from "../engine-error.ts";
import { fullImageName, isImageName, serverAddressOf } from "./image-name.ts";
import { type ImageMarks, type LocalImage, PrivateImages } from "./private-images.ts";
import { PullProgress } from "./pull-progress.ts";
import { requireReachable } from "./registry-reach.ts";

function unpullableImage(name: string, image: LocalImage | null): StartRefused {
  if (image === null)
    return new StartRefused(`the image ${name} does not exist`, "image_not_found");
  const sentence = `the image ${name} was pulled with credentials; use its name in the registry`;
  return new StartRefused(sentence, "image_unauthorised");
}

export interface ImageOptions {
  imageMarks: ImageMarks;
  /** Which registries images may come from. */
  registries: ReachRule;
  /** Looks up a registry's name; by default at the name servers. */
  resolve?: Resolve;
}

interface Pull {
  done: Promise<void>;
  /** The reporters of the starts that wait for it. */
  reporters: Set<StartReporter>;
  abort: AbortController;
}

/** How often a pull's progress is reported. */
const REPORT_MS = 5_000;

/** A pull whose engine reports nothing for this long is given up, and tried again with the next start. */
const MAX_QUIET_MS = 15 * MINUTE_MS;

export class Images {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #closed: AbortSignal;
  readonly #private: PrivateImages;
  readonly #requireReachable: (image: string) => Promise<void>;
  /** Pulls by image and credentials, so that a start without access does not join the pull of one with access. */
  readonly #pulls = new Map<string, Pull>();

  constructor(
    engine: Engine,
    clock: Clock,
    closed: AbortSignal,
    { imageMarks, registries, resolve = byNameServer }: ImageOptions,
  ) {
    this.#private = new PrivateImages(imageMarks);
    this.#requireReachable = (image) => requireReachable(image, registries, resolve);
    this.#engine = engine;
    this.#clock = clock;
    this.#closed = closed;
  }

  /**
   * Resolves to the image's complete name once the engine has it. Rejects with StartRefused if that is
   * impossible, and with StartAborted once `signal` aborts; a pull without waiting starts is aborted.
   */
  async ensure(
    { image, account, auth }: Pick<Workload, "image" | "account" | "auth">,
    report: StartReporter,
    signal: AbortSignal,
  ): Promise<string> {
    if (!isImageName(image)) {
      throw new StartRefused(
        `${JSON.stringify(image)} is not a valid image name`,
        "image_unusable",
      );
    }
    const name = fullImageName(image);
    const present = await this.#find(name);
    const puller = { account, auth };
    if (present !== null && (await this.#private.mayUse(name, present, puller))) {
      if (signal.aborted) throw new StartAborted("it was stopped before its container was created");
      report(null, "image_present");
      return name;
    }
    // A registry does not know the engine's own id of an image.
    if (name.startsWith("sha256:")) throw unpullableImage(name, present);
    await this.#requireReachable(name);
    await this.#private.markBeforePull(name, puller);
    const key = JSON.stringify([name, auth ?? null]);
    const running = this.#pulls.get(key);
    if (running) report(pullingLine(name), "image_pulling");
    const pull = running ?? this.#begin(key, name, auth);
    const leave = () => this.#leave(key, pull, report);
    pull.reporters.add(report);
    await unlessAborted(pull.done, signal, leave);
    const pulled = await this.#find(name);
    if (pulled !== null) await this.#private.markPulled(name, pulled, puller);
    return name;
  }

  /** Null if the engine does not have it. */
  async #find(name: string): Promise<LocalImage | null> {
    const found = await this.#engine.callWithin((docker) =>
      unlessMissing(docker.getImage(name).inspect()),
    );
    if (!found) return null;
    // Podman returns null instead of an empty list.
    return { id: found.Id, names: [...(found.RepoTags ?? []), ...(found.RepoDigests ?? [])] };
  }

  #leave(key: string, pull: Pull, report: StartReporter): void {
    pull.reporters.delete(report);
    if (pull.reporters.size > 0) return;
    this.#pulls.delete(key);
    pull.abort.abort();
  }

  #begin(key: string, name: string, auth: Credentials | undefined): Pull {
    const reporters = new Set<StartReporter>();
    const reportAll: StartReporter = (line, step) => {
      for (const report of reporters) report(line, step);
    };
    const abort = new AbortController();
    const over = AbortSignal.any([this.#closed, abort.signal]);
    const done = this.#pull(name, auth, reportAll, over).finally(() => {
      if (this.#pulls.get(key) === pull) this.#pulls.delete(key);
    });
    done.catch(() => {}); // waiting starts see the error; there may be none
    const pull: Pull = { done, reporters: reporters, abort };
    this.#pulls.set(key, pull);
    return pull;
  }

  async #pull(
    name: string,
    auth: Credentials | undefined,
    report: StartReporter,
    signal: AbortSignal,
  ): Promise<void> {
    // After the current microtask, so that the first caller's reporter is registered.
    await Promise.resolve();
    report(pullingLine(name), "image_pulling");
    const progress = new PullProgress();
    const over = new AbortController();
    const stalled = new AbortController();
    void this.#reportProgress(progress, report, over.signal, stalled);
    try {
      await this.#follow(name, auth, progress, AbortSignal.any([signal, stalled.signal]));
      report(`pulled the image ${name}`, "image_pulled");
    } catch (error) {
      const failure = stalled.signal.aborted
        ? new StartRefused(STALLED, "registry_away")
        : failureOf(name, auth, progress.error, error);
      report(failure instanceof StartRefused ? `the pull failed: ${failure.message}` : PULL_FAILED);
      throw failure;
    } finally {
      over.abort();
    }
  }

  async #follow(
    name: string,
    auth: Credentials | undefined,
    progress: PullProgress,
    abortSignal: AbortSignal,
  ): Promise<void> {
    const authconfig = auth && { ...auth, serveraddress: serverAddressOf(name) };
    const options = { authconfig, abortSignal };
    // No limit but that of `#reportProgress`: a large image takes hours over a slow link.
    await this.#engine.callWhileAlive(async (docker) => {
      const stream = await docker.pull(name, options);
      for await (const piece of stream) progress.add(piece.toString());
    }, Number.POSITIVE_INFINITY);
    if (progress.error !== null) throw new Error(progress.error);
  }

  async #reportProgress(
    progress: PullProgress,
    report: StartReporter,
    over: AbortSignal,
    stalled: AbortController,
  ): Promise<void> {
    for (let [lineCount, quietMs] = [0, 0]; ; quietMs += REPORT_MS) {
      await pause(this.#clock, REPORT_MS, over);
      if (over.aborted) return;
      report(progress.line());
      if (progress.lineCount > lineCount) quietMs = 0;
      lineCount = progress.lineCount;
      if (quietMs >= MAX_QUIET_MS) return stalled.abort();
    }
  }
}

const pullingLine = (name: string) => `pulling the image ${name}`;
const STALLED = `the registry sent nothing for ${MAX_QUIET_MS / MINUTE_MS} minutes`;
const PULL_FAILED = "the pull failed";

function failureOf(
  name: string,
  auth: Credentials | undefined,
  reported: string | null,
  error: unknown,
): unknown {
  if (statusOf(error) === null && reported === null) return error;
  // What the engine received for a pull has no other secret.
  const redact = redactorOf(auth ? [auth.password] : []);
  return pullError(name, reported ?? messageOf(error), redact);
}

/** Waits for `done`; when `signal` aborts, calls `leave` and rejects with StartAborted. */
async function unlessAborted(
  done: Promise<void>,
  signal: AbortSignal,
  leave: () => void,
): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    leave();
    reject(new StartAborted("it was stopped while its image was pulled"));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
