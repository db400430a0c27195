import type { AccountTexts } from '../account-texts.ts';

export const account: AccountTexts = {
  signIn: 'साइन इन करें',
  email: 'ईमेल पता',
  password: 'पासवर्ड',
  wrongSignIn: 'यह ईमेल पता और पासवर्ड मेल नहीं खाते।',
  tooManyTries: 'बहुत ज़्यादा कोशिशें हुईं। 15 मिनट रुककर फिर कोशिश करें।',
};
