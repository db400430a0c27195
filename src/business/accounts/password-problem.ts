import { codePoints } from '../../base/http/text.ts';

export const shortestPassword = 12;
const longestPassword = 200;

/** What is wrong with a password that somebody wants; null when nothing is. */
export function passwordProblem(
  password: string,
  email: string,
): 'too_short' | 'too_long' | 'too_plain' | null {
  const length = codePoints(password);
  if (length < shortestPassword) return 'too_short';
  if (length > longestPassword) return 'too_long';
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase() || new Set(plain).size < 4) return 'too_plain';
  return null;
}
