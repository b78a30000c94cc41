// The form that signs in with an e-mail address and a password. The service says whether it needs more: the code of an
// authenticator app, or which of several accounts to open.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { describeError } from "../../api/error-description.ts";
import type { Credentials } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { PasswordField } from "../../components/form/password-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface Account {
  id: string;
  name: string;
}

interface Values {
  email: string;
  password: string;
  code: string;
  accountId: string;
}

type Form = UseFormReturn<Values>;

interface Props {
  className: string;
  signIn: (credentials: Credentials) => Promise<void>;
}

export function PasswordForm({ className, signIn }: Props) {
  const { form, enter, step, accounts, error, isSubmitting, restart } = usePasswordSignIn(signIn);
  const choose = (accountId: string) => {
    form.setValue("accountId", accountId);
    void enter();
  };
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      {step === "password" && <PasswordStep form={form} />}
      {step === "code" && <CodeStep form={form} />}
      {step === "account" && (
        <AccountStep accounts={accounts} isBusy={isSubmitting} onChoose={choose} />
      )}
      <FormError error={error} />
      {step !== "account" && (
        <Button type="submit" variant="primary" busy={isSubmitting} className="mt-4 w-full">
          {isSubmitting ? "Signing in" : "Sign in"}
        </Button>
      )}
      {step !== "password" && (
        <Button variant="quiet" className="mt-2 w-full" onClick={restart}>
          Back
        </Button>
      )}
    </form>
  );
}

type Step = "password" | "code" | "account";

function usePasswordSignIn(signIn: Props["signIn"]) {
  const [step, setStep] = useState<Step>("password");
  const [accounts, setAccounts] = useState<Account[]>([]);
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "SignIn",
    defaultValues: { email: "", password: "", code: "", accountId: "" },
    toBody: ({ email, password, code, accountId }: Values) => ({
      email: email.trim(),
      password,
      ...(code.trim() && { code: code.replaceAll(/\s/g, "") }),
      ...(accountId && { accountId }),
    }),
    check: ({ email, password, code }) => ({
      ...(!email.trim() && { email: "Required" }),
      ...(!password && { password: "Required" }),
      ...(step === "code" && !code.trim() && { code: "Required" }),
    }),
    fieldsByCode: { sign_in_failed: "password", code_refused: "code" },
  });
  const enter = () =>
    submit(async (credentials) => {
      try {
        await signIn(credentials);
      } catch (cause) {
        const { code } = describeError(cause);
        if (code === "code_required") return setStep("code");
        if (code !== "several_accounts") throw cause;
        setAccounts((cause as { accounts: Account[] }).accounts);
        setStep("account");
      }
    });
  const restart = () => {
    form.setValue("code", "");
    form.setValue("accountId", "");
    setStep("password");
  };
  return { form, enter, step, accounts, error, isSubmitting, restart };
}

function PasswordStep({ form }: { form: Form }) {
  return (
    <div className="space-y-4">
      <TextField
        form={form}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
      />
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
    </div>
  );
}

function CodeStep({ form }: { form: Form }) {
  const [isRecovering, setRecovering] = useState(false);
  useEffect(() => form.setFocus("code"), [form]);
  const toggle = () => {
    form.resetField("code");
    setRecovering(!isRecovering);
    form.setFocus("code");
  };
  return (
    <>
      <p className="mb-4 text-sm break-words text-muted">
        Signing in as <span className="text-text">{form.getValues("email").trim()}</span>
      </p>
      <TextField
        form={form}
        name="code"
        label={isRecovering ? "Recovery code" : "Code"}
        hint={
          isRecovering
            ? "Each of the codes that you saved works once."
            : "The 6 digits that your authenticator app shows."
        }
        mono
        inputMode={isRecovering ? "text" : "numeric"}
        autoComplete={isRecovering ? "off" : "one-time-code"}
        autoCapitalize="none"
      />
      <button
        type="button"
        className="mt-2 min-h-6 cursor-pointer rounded-control text-sm text-muted underline hover:text-text"
        onClick={toggle}
      >
        {isRecovering ? "Use the authenticator app" : "Use a recovery code"}
      </button>
    </>
  );
}

interface AccountStepProps {
  accounts: Account[];
  isBusy: boolean;
  onChoose: (accountId: string) => void;
}

function AccountStep({ accounts, isBusy, onChoose }: AccountStepProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <>
      <h2 id="accounts" className="mb-3 font-medium">
        Which account do you want to open?
      </h2>
      <ul ref={list} aria-labelledby="accounts" className="space-y-2">
        {accounts.map(({ id, name }) => (
          <li key={id}>
            <Button className="w-full" busy={isBusy} onClick={() => onChoose(id)}>
              <span className="truncate">{name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
