import { passwordProblem } from '../../accounts/password-problem.ts';
import type { Html } from '../../http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { field } from '../components/controls.ts';

/** The field for a password that is being chosen. */
export function newPasswordField({ account }: Texts, error?: string): Html {
  return field({
    name: 'password',
    label: account.newPassword,
    hint: account.newPasswordHint,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    error,
  });
}

/** What is wrong with it, in words; undefined when nothing is. */
export function passwordError({ account }: Texts, password: string, email: string): string | undefined {
  const problem = passwordProblem(password, email);
  if (problem === null) return undefined;
  return { too_short: account.tooShort, too_long: account.tooLong, too_plain: account.tooPlain }[problem];
}
