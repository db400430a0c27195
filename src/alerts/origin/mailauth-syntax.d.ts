/** The library's own grammar of names, which it does not describe. */
declare module 'mailauth/lib/dkim/syntax.js' {
  export const SELECTOR: RegExp;
}
