// A template in the format of the management API.

import type { Template } from "../../../contract/rest-v1/template/template.ts";
import { isOfficial } from "../../../domain/template/official.ts";
import type { Template as StoredTemplate } from "../../../domain/template/template.ts";
import { labelsRead } from "../serve/labels.ts";

export function templateRead({
  id,
  name,
  labels,
  accountId,
  spec,
  owner,
}: StoredTemplate): Template {
  const { startSsh, startJupyter, allowedCudaVersions, advancedStart, config, ...others } = spec;
  const { stopWhenIdle, maxLifetime, ...fields } = others;
  return {
    id,
    name,
    ...fields,
    earned: 0,
    isRunpod: isOfficial({ accountId }),
    runtimeInMin: 0,
    ...labelsRead({ labels }),
    portLabels: spec.portLabels ?? {}, // templates of earlier versions have none
    ...(stopWhenIdle && { stopWhenIdle }),
    ...(maxLifetime && { maxLifetime }),
    ...(owner && { createdBy: owner }),
  };
}
