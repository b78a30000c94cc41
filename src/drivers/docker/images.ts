// Images: one that is there is used as it is, one that is not is pulled, once for all who wait. One
// that is there because of somebody else's credentials is pulled again with one's own, which brings
// nothing but the registry's word.

import { type Clock, pause } from "../../base/clock.ts";
import { type RegistryAuth, StartCut, StartRefused, type Tell, type Workload } from "../driver.ts";
import { type Engine, statusOf, unlessMissing, wordsOf } from "./engine.ts";
import { fullImageName, isImageName, registryOf } from "./image-name.ts";
import { type ImageMarks, type Present, PrivateImages } from "./private-images.ts";
import { PullProgress } from "./pull-progress.ts";
import { pullRefused } from "./trouble.ts";

function onlyByName(name: string, there: Present | null): StartRefused {
  if (there === null) return new StartRefused(`there is no image ${name}`, "image_not_found");
  const sentence = `the image ${name} was pulled with credentials; name it as its registry does`;
  return new StartRefused(sentence, "image_unauthorised");
}

interface Pull {
  done: Promise<void>;
  /** Of those who wait for it. */
  tells: Set<Tell>;
  callOff: AbortController;
}

/** How often those who wait are told how far a pull is. */
const TELL_MS = 5_000;

export class Images {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #closed: AbortSignal;
  readonly #private: PrivateImages;
  /** By image and credentials: who may not pull it must not get it from who may. */
  readonly #pulls = new Map<string, Pull>();

  constructor(engine: Engine, clock: Clock, closed: AbortSignal, marks: ImageMarks) {
    this.#private = new PrivateImages(marks);
    this.#engine = engine;
    this.#clock = clock;
    this.#closed = closed;
  }

  /**
   * Resolves to the image's full name once it is there. Throws StartRefused where it cannot be, and
   * StartCut once `cut` is aborted; a pull that nobody waits for any more is called off.
   */
  async ensure(
    { image, account, auth }: Pick<Workload, "image" | "account" | "auth">,
    tell: Tell,
    cut: AbortSignal,
  ): Promise<string> {
    if (!isImageName(image)) {
      throw new StartRefused(`${JSON.stringify(image)} is no name of an image`, "image_unusable");
    }
    const name = fullImageName(image);
    const there = await this.#find(name);
    const puller = { account, auth };
    if (there !== null && (await this.#private.mayUse(name, there, puller))) return name;
    // No registry knows an image by the engine's own name for it.
    if (name.startsWith("sha256:")) throw onlyByName(name, there);
    await this.#private.noteAsked(name, puller);
    const key = JSON.stringify([name, auth ?? null]);
    const pull = this.#pulls.get(key) ?? this.#begin(key, name, auth);
    const leave = () => this.#leave(key, pull, tell);
    pull.tells.add(tell);
    await unlessCut(pull.done, cut, leave);
    const pulled = await this.#find(name);
    if (pulled !== null) await this.#private.noteGiven(name, pulled, puller);
    return name;
  }

  /** Null where it is not there. */
  async #find(name: string): Promise<Present | null> {
    const found = await this.#engine.askSoon((docker) =>
      unlessMissing(docker.getImage(name).inspect()),
    );
    if (!found) return null;
    // Podman says null where there are none.
    return { id: found.Id, names: [...(found.RepoTags ?? []), ...(found.RepoDigests ?? [])] };
  }

  #leave(key: string, pull: Pull, tell: Tell): void {
    pull.tells.delete(tell);
    if (pull.tells.size > 0) return;
    this.#pulls.delete(key);
    pull.callOff.abort();
  }

  #begin(key: string, name: string, auth: RegistryAuth | undefined): Pull {
    const tells = new Set<Tell>();
    const tellAll: Tell = (line, step) => {
      for (const tell of tells) tell(line, step);
    };
    const callOff = new AbortController();
    const over = AbortSignal.any([this.#closed, callOff.signal]);
    const done = this.#pull(name, auth, tellAll, over).finally(() => {
      if (this.#pulls.get(key) === pull) this.#pulls.delete(key);
    });
    done.catch(() => {}); // who waits hears of it; perhaps nobody does
    const pull: Pull = { done, tells, callOff };
    this.#pulls.set(key, pull);
    return pull;
  }

  async #pull(
    name: string,
    auth: RegistryAuth | undefined,
    tell: Tell,
    calledOff: AbortSignal,
  ): Promise<void> {
    // Not in the microtask of the first who asks: he is told as well.
    await Promise.resolve();
    tell(`pulling the image ${name}`, "image_pulling");
    const progress = new PullProgress();
    const over = new AbortController();
    void this.#tellNowAndThen(progress, tell, over.signal);
    try {
      await this.#follow(name, auth, progress, calledOff);
      tell(`pulled the image ${name}`, "image_pulled");
    } catch (error) {
      tell(`the pull failed: ${wordsOf(error)}`);
      if (statusOf(error) !== null || progress.error !== null) {
        throw pullRefused(name, progress.error ?? wordsOf(error));
      }
      throw error;
    } finally {
      over.abort();
    }
  }

  async #follow(
    name: string,
    auth: RegistryAuth | undefined,
    progress: PullProgress,
    abortSignal: AbortSignal,
  ): Promise<void> {
    const authconfig = auth && { ...auth, serveraddress: registryOf(name) };
    await this.#engine.ask(async (docker) => {
      const options = { authconfig, abortSignal };
      const stream = await docker.pull(name, options);
      for await (const piece of stream) progress.add(piece.toString());
      if (progress.error !== null) throw new Error(progress.error);
    });
  }

  async #tellNowAndThen(progress: PullProgress, tell: Tell, over: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#clock, TELL_MS, over);
      if (over.aborted) return;
      tell(progress.line());
    }
  }
}

/** Waits for something unless it is told to leave it. */
async function unlessCut(done: Promise<void>, cut: AbortSignal, leave: () => void): Promise<void> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const onCut = () => {
    leave();
    reject(new StartCut("it was stopped while its image was on its way"));
  };
  cut.addEventListener("abort", onCut, { once: true });
  if (cut.aborted) onCut();
  try {
    await Promise.race([done, left]);
  } finally {
    cut.removeEventListener("abort", onCut);
  }
}
