// An API key as clients read it.

import type { Key } from "../../../contract/rest-v1/account/key.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import type { KeyView } from "../../../flows/account/keys.ts";
import { instant, present } from "../serve/instant.ts";
import { labelsRead } from "../serve/labels.ts";

/** A new key has no lastUsedAt. */
export function keyRead(key: ApiKey & Partial<KeyView>): Key {
  const {
    id,
    name,
    hint,
    member,
    permissions,
    createdAt,
    disabledAt,
    lastUsedAt = null,
    labels = noLabels,
  } = key;
  return {
    id,
    name,
    ...labelsRead({ labels }),
    hint,
    ...(member && { memberId: member.id }),
    permissions,
    createdAt: instant(createdAt),
    disabled: disabledAt !== null,
    ...present({ lastUsedAt }),
  };
}
