import type { AccountTexts } from '../account-texts.ts';

export const account: AccountTexts = {
  signIn: 'Sign in',
  email: 'Email address',
  password: 'Password',
  wrongSignIn: 'This email address and password do not go together.',
  tooManyTries: 'Too many attempts. Please wait 15 minutes and try again.',
};
