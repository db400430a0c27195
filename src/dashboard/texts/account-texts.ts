/** Signing in, and one's own account. */
export type AccountTexts = {
  signIn: string;
  email: string;
  password: string;
  wrongSignIn: string;
  tooManyTries: string;
};
