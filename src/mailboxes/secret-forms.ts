import type { Login } from './open-connection.ts';

/** Every form in which a login's secret goes to a server, which may repeat it in its answer (R10). */
export function secretForms(login: Login): string[] {
  const secret = 'password' in login ? login.password : login.accessToken;
  const quoted = secret.replace(/["\\]/g, '\\$&');
  // AUTHENTICATE PLAIN, LOGIN, OAUTHBEARER and XOAUTH2 send base64.
  const whole = [
    secret,
    `\u0000${login.user}\u0000${secret}`,
    `user=${login.user}\u0001auth=Bearer ${secret}\u0001\u0001`,
  ];
  return [secret, quoted, ...whole.map(text => Buffer.from(text).toString('base64'))];
}
