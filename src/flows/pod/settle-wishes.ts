// What a client's wishes for a Pod come to: over its template and the defaults, checked, with what they
// refer to.

import type { Ids } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import { wishOf } from "../../domain/pod/compute.ts";
import { podMistakes } from "../../domain/pod/mistakes.ts";
import type { PodSpec } from "../../domain/pod/pod.ts";
import { servicesOf, withServices } from "../../domain/pod/services.ts";
import { podSpecOf } from "../../domain/pod/wishes.ts";
import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import type { Verb } from "../../store/statement.ts";
import { holdTemplate } from "../../store/template/template.ts";
import { volumeForNew } from "../network-volume/of-pod.ts";
import type { NewPod } from "./create.ts";
import { refersToNothing } from "./refers.ts";
import { driverForPod, type PodRules } from "./rules.ts";

export type AskedPod = Pick<NewPod, "accountId" | "wishes" | "services">;

export interface Settled {
  spec: PodSpec;
  driver: string;
  /** The network volume that it mounts, locked in this turn. */
  volume: NetworkVolume | null;
  /** What it asks of a machine. */
  wish: PlacementWish;
}

export function* settleWishes(
  deps: PodRules & { catalog: Catalog; ids: Ids },
  { accountId, wishes, services }: AskedPod,
): Verb<Settled | Fault> {
  const { catalog } = deps;
  const { templateId } = wishes;
  const template = templateId ? yield* holdTemplate(templateId) : undefined;
  if (templateId && !mayUse(template, accountId)) {
    const detail = `"templateId" must be one of your templates; there is no "${templateId}".`;
    return new Fault("invalid_body", { detail });
  }
  const plain = podSpecOf(catalog, wishes, template ? usable(template, accountId) : null);
  const spec = withServices(plain, servicesOf(services, template?.spec), deps.ids);
  const mistakes = podMistakes(catalog, spec);
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const driver = driverForPod(deps, spec);
  if (driver instanceof Fault) return driver;
  const missing = yield* refersToNothing(accountId, spec);
  if (missing) return missing;
  const volume = yield* volumeForNew(accountId, spec);
  if (volume instanceof Fault) return volume;
  return { spec, driver, volume, wish: wishOf(catalog, spec, driver, volume) };
}

/** Another account's public template does not lend its credentials. */
function usable(template: Template, accountId: string): TemplateSpec {
  const { spec } = template;
  return accountId === template.accountId ? spec : { ...spec, containerRegistryAuthId: "" };
}

const mayUse = (template: Template | undefined, accountId: string) =>
  template !== undefined && (template.accountId === accountId || template.spec.isPublic);
