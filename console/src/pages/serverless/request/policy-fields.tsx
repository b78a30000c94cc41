// The policy of a job as fields. They edit the body's text, which stays the one source.

import { Field, TextInput } from "../../../components/control/field.tsx";
import { parseNumber } from "../../../components/form/text-values.ts";

type Body = Record<string, unknown>;

interface PolicyField {
  label: string;
  hint: string;
  read: (policy: Body) => unknown;
  /** Undefined removes the member. */
  write: (value: number | undefined, policy: Body) => Body;
}

const fields: PolicyField[] = [
  {
    label: "Priority",
    hint: "Higher runs first. Default: 0.",
    read: ({ priority }) => priority,
    write: (priority) => ({ priority }),
  },
  {
    label: "Delay in seconds",
    hint: "Before the job enters the queue.",
    read: ({ delay }) => delay,
    write: (delay) => ({ delay }),
  },
  {
    label: "Time to live in seconds",
    hint: "The job ends after this time.",
    read: ({ ttl }) => (typeof ttl === "number" ? ttl / 1_000 : undefined),
    write: (seconds) => ({ ttl: seconds === undefined ? undefined : seconds * 1_000 }),
  },
  {
    label: "Attempts",
    hint: "In total, the first one included.",
    read: ({ retry }) => (retry as Body | undefined)?.maxAttempts,
    write: (maxAttempts, { retry }) => ({
      retry:
        maxAttempts === undefined ? undefined : { ...(retry as Body | undefined), maxAttempts },
    }),
  },
];

interface Props {
  body: Body;
  onChange: (body: Body) => void;
}

export function PolicyFields({ body, onChange }: Props) {
  const policy = (body.policy ?? {}) as Body;
  const change = (changes: Body) => {
    const all = Object.entries({ ...policy, ...changes }).filter(([, each]) => each !== undefined);
    const { policy: _, ...others } = body;
    onChange(all.length === 0 ? others : { ...others, policy: Object.fromEntries(all) });
  };
  return (
    <details className="mt-4">
      <summary className="w-fit cursor-pointer text-sm text-muted hover:text-text">
        Advanced
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2">
        {fields.map(({ label, hint, read, write }) => (
          <Field key={label} label={label} hint={hint}>
            {(control) => (
              <TextInput
                {...control}
                type="number"
                value={`${read(policy) ?? ""}`}
                onChange={({ target }) => {
                  const value = parseNumber(target.value);
                  change(write(Number.isNaN(value) ? undefined : value, policy));
                }}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}
