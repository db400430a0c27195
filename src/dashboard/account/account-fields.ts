import type { Html } from '../../base/http/html.ts';
import { passwordProblem } from '../../business/accounts/password.ts';
import type { Texts } from '../../texts/languages.ts';
import { field } from '../frame/controls.ts';
import type { OpenVisit } from '../frame/route.ts';

/** The mail address for signing in. Use `off` for somebody else's address. */
export function emailField({ texts, form }: OpenVisit, error?: string, autocomplete = 'username'): Html {
  return field('email', texts.account.email, {
    type: 'email',
    value: form.text('email'),
    autocomplete,
    required: true,
    error,
  });
}

export function codeField({ account }: Texts, error?: string, autofocus = false): Html {
  return field('code', account.codeLabel, {
    hint: account.codeHint,
    autocomplete: 'one-time-code',
    required: true,
    autofocus,
    maxlength: 40,
    error,
  });
}

export function passwordField({ labels }: Texts, error?: string, autofocus = false): Html {
  return field('password', labels.password, {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    autofocus,
    error,
  });
}

export function newPasswordField({ account }: Texts, error?: string): Html {
  return field('password', account.newPassword, {
    hint: account.newPasswordHint,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    error,
  });
}

export function passwordError({ account }: Texts, password: string, email: string): string | undefined {
  const problem = passwordProblem(password, email);
  if (problem === null) return undefined;
  return { too_short: account.tooShort, too_long: account.tooLong, too_plain: account.tooPlain }[problem];
}
