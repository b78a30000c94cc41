// A form whose values become a request body. The body is validated by its schema in the OpenAPI document,
// and each message appears at its field, as does a refusal of the service that names a field.

import { useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { type BodySchemaName, bodySchemas } from "../../../generated/body-schemas.ts";
import type { Schema } from "../../api/client.ts";
import { describeError } from "../../api/error-description.ts";
import { type BodyErrors, fieldsInMessage, validateBody } from "../../validate-body.ts";
import { withZoneTimes } from "../format/time.ts";

interface Options<Values extends FieldValues, Name extends BodySchemaName & keyof Schema> {
  schema: Name;
  defaultValues: Values;
  toBody: (values: Values) => Schema[Name];
  /** The form's fields for body fields of another name. */
  fields?: Partial<Record<keyof Schema[Name] & string, Path<Values>>>;
  /** The form's fields for refusals of the service that name no field, by their code. */
  fieldsByCode?: Partial<Record<string, Path<Values>>>;
  /** Rules that the schema cannot express. */
  check?: (values: Values) => Partial<Record<Path<Values>, string>>;
}

export interface SchemaForm<Values extends FieldValues, Body = unknown> {
  form: UseFormReturn<Values>;
  /** An error that belongs to no field. */
  error: unknown;
  isSubmitting: boolean;
  body: (values: Values) => Body;
  /** Validates, then calls `send`; resolves to whether that succeeded. */
  submit: (send: (body: Body, values: Values) => Promise<unknown>) => Promise<boolean>;
  reset: () => void;
}

export function useSchemaForm<
  Values extends FieldValues,
  Name extends BodySchemaName & keyof Schema,
>(options: Options<Values, Name>): SchemaForm<Values, Schema[Name]> {
  const latest = useRef(options);
  latest.current = options;
  const [error, setError] = useState<unknown>(null);
  const form = useForm<Values>({
    mode: "onTouched",
    defaultValues: options.defaultValues as DefaultValues<Values>,
    resolver: (values) => {
      const { schema, toBody, check } = latest.current;
      const messages = validateBody(bodySchemas[schema], toBody(values) as object);
      const errors = { ...toFields(messages, latest.current.fields), ...check?.(values) };
      return Object.keys(errors).length > 0
        ? { values: {}, errors: toFieldErrors<Values>(errors) }
        : { values, errors: {} };
    },
  });
  const refuse = (cause: unknown) => {
    const names = Object.keys(bodySchemas[options.schema].properties ?? {});
    const { message, code } = describeError(cause);
    const sentence = withZoneTimes(message);
    const field = options.fieldsByCode?.[code ?? ""];
    const messages = field
      ? { [field]: sentence }
      : toFields(fieldsInMessage(sentence, names), options.fields);
    const placed = Object.entries(messages).filter(([name]) => showsErrors(form, name));
    for (const [n, [name, message]] of placed.entries()) {
      form.setError(name as Path<Values>, { message }, { shouldFocus: n === 0 });
    }
    setError(placed.length > 0 ? null : cause);
  };
  const report = (errors: FieldErrors<Values>) => {
    // Often one that a field shows is the cause of the others.
    if (Object.keys(errors).some((name) => showsErrors(form, name))) return;
    const sentences = Object.entries(errors).map(
      ([name, fault]) => `"${name}": ${fault?.message}.`,
    );
    setError({ error: sentences.join(" ") });
  };
  return {
    form,
    error,
    isSubmitting: form.formState.isSubmitting,
    body: options.toBody,
    submit: async (send) => {
      let succeeded = false;
      setError(null);
      await form.handleSubmit(async (values) => {
        try {
          await send(options.toBody(values), values);
          succeeded = true;
        } catch (cause) {
          refuse(cause);
        }
      }, report)();
      return succeeded;
    },
    reset: () => {
      setError(null);
      form.reset();
    },
  };
}

/** Whether a control of the form shows the errors of the field: it has bound itself, and takes the focus. */
function showsErrors<Values extends FieldValues>({ control }: UseFormReturn<Values>, name: string) {
  const field: { mount?: boolean; ref: object } | undefined = get(control._fields, `${name}._f`);
  return field?.mount === true && "focus" in field.ref;
}

function toFields(messages: BodyErrors, fields: Partial<Record<string, string>> = {}): BodyErrors {
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [fields[name] ?? name, message]),
  );
}

function toFieldErrors<Values extends FieldValues>(errors: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [name, { type: "schema", message }]),
  ) as FieldErrors<Values>;
}
