// The field of a new password.

import Type from "typebox";

/** Its rules are checked apart, because a validation error quotes what it refuses. */
export const newPassword = Type.String({
  maxLength: 4096,
  description:
    "8 to 1,024 characters; not the e-mail address, not the name, and not one of the commonest passwords.",
});
