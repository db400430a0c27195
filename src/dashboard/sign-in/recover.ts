import { html } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { findLink } from '../../business/accounts/links.ts';
import { askForRecovery, recoverPassword } from '../../business/accounts/recover-password.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import type { Texts } from '../../texts/languages.ts';
import { emailField, newPasswordField, passwordError } from '../account/account-fields.ts';
import { linkButton, postForm } from '../frame/controls.ts';
import { card, emptyState, screen } from '../frame/parts.ts';
import { type Answer, get, type OpenVisit, page, post, redirect } from '../frame/route.ts';

export const recoverRoutes = [
  get('/dashboard/recover', 'anyone', async (world, visit) => askPage(world, visit)),
  post('/dashboard/recover', 'anyone', async (world, visit) => {
    const { account } = visit.texts;
    if (!canMail(world.config)) return askPage(world, visit);
    const email = parseMailAddress(visit.form.text('email'));
    if (!email) return askPage(world, visit, account.wrongEmail, 400);
    if (!(await askForRecovery(world, { email, address: visit.address, language: visit.texts.tag })))
      return askPage(world, visit, account.tooManyTries, 429);
    return simplePage(visit.texts, account.recoverTitle, account.recoverSent({ email }));
  }),
  get('/dashboard/recover/:token', 'anyone', async (world, visit) => {
    const link = await findLink(world, visit.params['token']!, 'recover');
    return link ? choosePage(visit) : linkOverPage(visit);
  }),
  post('/dashboard/recover/:token', 'anyone', async (world, visit) => {
    const link = await findLink(world, visit.params['token']!, 'recover');
    if (!link) return linkOverPage(visit);
    const password = visit.form.raw('password');
    const error = passwordError(visit.texts, password, link.email);
    if (error) return choosePage(visit, error, 400);
    const done = await recoverPassword(world, link, { password, address: visit.address });
    return done ? redirect('/dashboard/sign-in?said=chosen') : linkOverPage(visit);
  }),
];

function askPage({ config }: Pick<World, 'config'>, visit: OpenVisit, error?: string, status = 200): Answer {
  const { account, shell } = visit.texts;
  if (!canMail(config)) return simplePage(visit.texts, account.recoverTitle, account.recoverNoMail);
  const email = emailField(visit, error);
  const cancel = { href: '/dashboard/sign-in', text: shell.cancel };
  const form = postForm('/dashboard/recover', account.recoverSend, email, { cancel });
  return screen(account.recoverTitle, { text: account.recoverText, status })`${card(form)}`;
}

function choosePage(visit: OpenVisit, error?: string, status = 200): Answer {
  const { account } = visit.texts;
  const form = postForm(
    `/dashboard/recover/${visit.params['token']}`,
    account.choosePassword,
    newPasswordField(visit.texts, error),
  );
  return screen(account.recoverTitle, { status })`${card(form)}`;
}

export function linkOverPage({ texts }: OpenVisit): Answer {
  return simplePage(texts, texts.account.linkOver, texts.account.linkOverText, 410);
}

/** One sentence, and the way to the sign-in. */
export function simplePage({ account }: Texts, title: string, text: string, status = 200): Answer {
  const signIn = linkButton('/dashboard/sign-in', account.signIn, { plain: true });
  return page({ title, status, body: emptyState(html`<h1>${title}</h1>`, text, signIn, 'lock') });
}
