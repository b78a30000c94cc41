// Brings the models of a release to the machine before a worker starts, and records how far their downloads
// are.

import { isDeepStrictEqual } from "node:util";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import type { Inventory, MachineModel } from "../../domain/machine/inventory.ts";
import { modelKey } from "../../domain/model/evict.ts";
import { percentOf, progressText } from "../../domain/model/loading.ts";
import { NO_MODEL_CACHE } from "../../domain/model/presence.ts";
import {
  type ModelReference,
  nameText,
  shortReference,
  storedReference,
} from "../../domain/model/reference.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import {
  type Driver,
  type FolderMount,
  StartAborted,
  StartRefused,
  type StartReporter,
} from "../../drivers/driver.ts";
import type { ModelCache } from "../../drivers/models/model-cache.ts";
import type { PinnedModel } from "../../drivers/models/model-folders.ts";
import type { SourceAccess } from "../../drivers/models/model-source.ts";
import type { Store } from "../../store/engine/store.ts";
import { modelsInUseOn, releaseModels } from "../../store/release-model/release-model.ts";
import { pinModel } from "../../transactions/endpoint/pin-model.ts";
import { recordModels } from "../../transactions/machine/record-models.ts";

export interface ModelDeps {
  store: Store;
  /** The machine's id. */
  machine: string;
  inventory: Inventory;
  /** Absent if the machine has no cache. */
  modelCache?: ModelCache;
}

export interface WorkerWithModels {
  worker: Pick<LiveWorker, "id" | "endpointId" | "version">;
  driver: Pick<Driver, "name">;
  workload: ReleaseWorkload;
  /** Its variables, secrets included. */
  env: Readonly<Record<string, string>>;
  report: StartReporter;
}

/** What a worker gets to see of its models. */
export interface ProvidedModels {
  env?: Record<string, string>;
  folders?: FolderMount[];
}

export class MachineModels {
  readonly #deps: ModelDeps;
  readonly #starts = new Map<string, AbortController>();
  #recorded: MachineModel[] | null = null;

  constructor(deps: ModelDeps) {
    this.#deps = deps;
  }

  /** Resolves once the models are here. Rejects with StartRefused, or with StartAborted after `abort`. */
  async provide(starting: WorkerWithModels): Promise<ProvidedModels> {
    const { worker, driver, workload, env } = starting;
    const references = (workload.modelReferences ?? []).map(storedReference);
    if (references.length === 0) return {};
    const { modelCache } = this.#deps;
    if (!modelCache) throw new StartRefused(`its machine cannot run it: ${NO_MODEL_CACHE}`);
    const start = new AbortController();
    this.#starts.set(worker.id, start);
    const access = { token: tokenIn(env), signal: start.signal };
    try {
      const models = await this.#pin(modelCache, worker, references, access);
      await Promise.all(
        models.map((model) => this.#bring(modelCache, model, access, starting.report)),
      );
      const { folder, mounts } = await modelCache.view(models);
      if (driver.name === "docker") return { folders: mounts };
      // Paths of the template's own lead elsewhere on purpose.
      const isChosen = env.HF_HUB_CACHE !== undefined || env.HF_HOME !== undefined;
      if (isChosen) return {};
      // With a connection, the hub's client asks for newer commits and moves the pinned one.
      const { HF_HUB_OFFLINE = "1" } = env;
      return { env: { HF_HUB_CACHE: folder, HF_HUB_OFFLINE } };
    } finally {
      this.#starts.delete(worker.id);
    }
  }

  /** Ends the wait of a worker, or of all; a download that no worker waits for ends too. */
  abort(workerId?: string): void {
    for (const [id, start] of this.#starts) {
      if (workerId === undefined || id === workerId) start.abort(new StartAborted());
    }
  }

  /** Records what changed since the last pass. */
  async record(): Promise<void> {
    const { modelCache, store, machine, inventory } = this.#deps;
    if (!modelCache) return;
    const models = modelCache.list();
    if (isDeepStrictEqual(models, this.#recorded)) return;
    if (this.#recorded === null) await modelCache.removeLeftovers(await this.#inUse());
    // A heartbeat that enters the machine anew writes the inventory too.
    inventory.models = models;
    await store.write(recordModels, machine, models, [...this.#starts.keys()]);
    this.#recorded = models;
  }

  async #pin(
    cache: ModelCache,
    { endpointId, version }: WorkerWithModels["worker"],
    references: readonly ModelReference[],
    access: SourceAccess,
  ): Promise<PinnedModel[]> {
    const { store } = this.#deps;
    const pins = await store.read(releaseModels, endpointId, version);
    return Promise.all(
      references.map(async (reference) => {
        const model = nameText(reference);
        const pinned = pins.find((each) => each.model === model);
        if (pinned) return { ...reference, commit: pinned.commit };
        const found = await cache.commitOf(reference, access);
        const { revision } = reference;
        const pin = { endpointId, version, model, revision, commit: found };
        return { ...reference, commit: await store.write(pinModel, pin) };
      }),
    );
  }

  async #bring(
    cache: ModelCache,
    model: PinnedModel,
    access: SourceAccess,
    report: StartReporter,
  ): Promise<void> {
    let reported = -1;
    await cache.provide(model, {
      ...access,
      inUse: () => this.#inUse(),
      report(downloadedBytes, bytes) {
        const progress = { downloadedBytes, bytes };
        const tens = Math.floor(percentOf(progress) / 10);
        if (tens === reported) return;
        reported = tens;
        report(`downloading the model ${shortReference(model)}: ${progressText(progress)}`);
      },
    });
  }

  async #inUse(): Promise<ReadonlySet<string>> {
    const { store, machine } = this.#deps;
    return new Set((await store.read(modelsInUseOn, machine)).map(modelKey));
  }
}

/** The variables that Hugging Face's own libraries read. */
function tokenIn(env: Readonly<Record<string, string>>): string | null {
  return env.HF_TOKEN || env.HUGGING_FACE_HUB_TOKEN || null;
}
