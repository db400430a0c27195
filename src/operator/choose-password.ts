import { randomBase62 } from '../base/random.ts';
import { StartError } from '../base/start-error.ts';
import { passwordProblem, shortestPassword } from '../business/accounts/password.ts';

const generatedPasswordLength = 20;

export const passwordOption = {
  meaning: `at least ${shortestPassword} characters; made and printed when left out`,
};

/** The one that the command was given, or a fresh one. */
export function choosePassword(options: Record<string, string>, email: string): string {
  const password = options['password'] ?? randomBase62(generatedPasswordLength);
  if (passwordProblem(password, email))
    throw new StartError(`--password must have at least ${shortestPassword} characters and be hard to guess`);
  return password;
}
