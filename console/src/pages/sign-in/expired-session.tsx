// The sign-in in front of a page whose session has expired. The page stays as it is behind it, with what was typed.

import { Dialog } from "radix-ui";
import { useEffect } from "react";
import { service } from "../../api/client.ts";
import { useResume } from "../../api/session.ts";
import { useDialogFocus } from "../../components/layout/use-dialog-focus.ts";
import { Logo } from "../../shell/logo.tsx";
import { SignInWays, useSignInWays } from "./sign-in-ways.tsx";

export function ExpiredSession() {
  const { resume, signIn } = useResume();
  useResumeOnReturn(resume);
  // The dialog opens with its first field in place, which takes the focus.
  const { isPending } = useSignInWays();
  return isPending ? null : <SignInDialog signIn={signIn} />;
}

function SignInDialog({ signIn }: Pick<ReturnType<typeof useResume>, "signIn">) {
  const focus = useDialogFocus();
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 overflow-y-auto bg-canvas p-4">
          <div className="flex min-h-full items-center justify-center">
            <Dialog.Content
              {...focus}
              onEscapeKeyDown={(event) => event.preventDefault()}
              className="w-full max-w-sm outline-none"
            >
              <div className="mb-6 flex justify-center">
                <Logo large />
              </div>
              <Dialog.Title className="text-lg font-semibold">
                Your session has expired
              </Dialog.Title>
              <Dialog.Description className="mt-0.5 mb-4 text-muted">
                Sign in to continue. The page is as you left it.
              </Dialog.Description>
              <SignInWays next="/" inNewTab signIn={signIn} />
            </Dialog.Content>
          </div>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A sign-in in another tab is one of this tab too. */
function useResumeOnReturn(resume: ReturnType<typeof useResume>["resume"]): void {
  useEffect(() => {
    const check = () =>
      void service.GET("/v1/session").then(
        ({ data }) => data && resume(data),
        () => {},
      );
    check();
    window.addEventListener("focus", check);
    return () => window.removeEventListener("focus", check);
  }, [resume]);
}
