import { type Html, html } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { earlyDays } from '../../base/retention.ts';
import { isOpenToAll, type Operator } from '../../base/settings/config-operator.ts';
import type { World } from '../../base/world.ts';
import { addressGuess, mayGuess } from '../../business/accounts/guesses.ts';
import { findLink } from '../../business/accounts/links.ts';
import type { LinkRow } from '../../business/accounts/queries/links.ts';
import { mailRegistrationLink, registerMerchant } from '../../business/accounts/register-merchant.ts';
import { startSession } from '../../business/accounts/session.ts';
import { firstOf } from '../../business/accounts/taken-names.ts';
import { longestMerchantName, readMerchantName } from '../../business/merchants/create-merchant.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { emailField, newPasswordField, passwordError } from '../account/account-fields.ts';
import { field, hidden, postForm } from '../frame/controls.ts';
import { keptGroups } from '../frame/kept-groups.ts';
import { card, screen } from '../frame/parts.ts';
import { type Answer, get, nextPath, type OpenVisit, post } from '../frame/route.ts';
import { linkOverPage, simplePage } from './recover.ts';

/** Opening a business: SIGNUPS=open or `approve` allow everybody, `invite` needs the operator's link. */
export const signUpRoutes = [
  get('/dashboard/sign-up', 'anyone', async (world, visit) => {
    return closedPage(world, visit) ?? signUpPage(world, visit, null);
  }),
  get('/dashboard/sign-up/privacy', 'anyone', async (world, { texts }) => {
    const words = texts.kept;
    const operator = world.config.operator.name ?? new URL(world.baseUrl).host;
    return screen(words.operatorNotice, {
      text: words.operatorWho({ operator }),
    })`<ul class="consequences">${words.operatorFacts.map(fact => html`<li>${fact}</li>`)}</ul>
${keptGroups(world, texts, earlyDays(world.config.keep, {}))}`;
  }),
  post('/dashboard/sign-up', 'anyone', async (world, visit) => {
    return closedPage(world, visit) ?? (await answer(world, visit, null));
  }),
  get('/dashboard/open-business/:token', 'anyone', async (world, visit) => {
    const link = await openLink(world, visit);
    return link ? signUpPage(world, visit, link) : linkOverPage(visit);
  }),
  post('/dashboard/open-business/:token', 'anyone', async (world, visit) => {
    const link = await openLink(world, visit);
    return link ? await answer(world, visit, link) : linkOverPage(visit);
  }),
];

function closedPage({ config }: World, { texts }: OpenVisit): Answer | null {
  if (isOpenToAll(config)) return null;
  const { account } = texts;
  const text = config.signups === 'invite' ? account.signUpInvite : account.signUpClosed;
  return simplePage(texts, account.signUpTitle, text, 403);
}

async function openLink(world: World, { params }: OpenVisit): Promise<LinkRow | null> {
  if (world.config.signups === 'closed') return null;
  return await findLink(world, params['token']!, 'open_business');
}

type Errors = Partial<Record<'name' | 'email' | 'password' | 'terms', string | undefined>>;

/** If mails can be sent, an open form only mails a link, which proves the address. Its form opens the business. */
async function answer(world: World, visit: OpenVisit, link: LinkRow | null): Promise<Answer> {
  const { texts, form, address, agent } = visit;
  const byMail = link === null && canMail(world.config);
  const name = readMerchantName(form.text('name'));
  const email = link ? link.email : parseMailAddress(form.text('email'));
  const password = form.raw('password');
  const { termsUrl: terms } = world.config.operator;
  const errors: Errors = {
    name: name ? undefined : texts.account.wrongName({ most: longestMerchantName }),
    email: email ? undefined : texts.account.wrongEmail,
    password: byMail ? undefined : passwordError(texts, password, email ?? ''),
    // The person agreed to the terms that were shown, which may have changed while the page was open.
    terms: byMail || form.text('terms') === (terms ?? '') ? undefined : texts.platform.mustAgree,
  };
  const refuse = (wrong: Errors, status: number) => signUpPage(world, visit, link, wrong, status);
  if (!name || !email || errors.password || errors.terms) return refuse(errors, 400);
  const mayGoOn = byMail
    ? await mailRegistrationLink(world, { name, email, address, language: texts.tag })
    : await mayGuess(firstOf(world), [addressGuess(address)]);
  if (!mayGoOn) return refuse({ email: texts.account.tooManyTries }, 429);
  if (byMail) return simplePage(texts, texts.account.signUpTitle, texts.account.signUpSent({ email }));
  const registration = {
    name,
    email,
    password,
    address,
    language: texts.tag,
    ...(link && { linkId: link.link_id }),
    terms,
    // A person whom the operator invited needs no second approval.
    awaitsWord: world.config.signups === 'approve' && (link === null || link.made_by === link.email),
  };
  const opened = await registerMerchant(world, registration);
  if (opened.outcome === 'used') return linkOverPage(visit);
  if (opened.outcome === 'taken') return refuse({ email: texts.account.emailTaken }, 409);
  const home = world.cells?.of(opened.merchantId) ?? world;
  const { token } = await home.sql.begin(tx =>
    startSession(tx, home, { ...opened, stage: 'full', address, agent }),
  );
  return { kind: 'redirect', to: nextPath(form), session: { token } };
}

function signUpPage(
  { config }: Pick<World, 'config'>,
  visit: OpenVisit,
  link: LinkRow | null,
  errors: Errors = {},
  status = 200,
): Answer {
  const { texts, form, params } = visit;
  const { account, shell } = texts;
  const byMail = link === null && canMail(config);
  // If a shop sent its owner here to connect, the owner goes back to it.
  const next = nextPath(form.has('next') ? form : visit.query, '');
  const fields = [
    field('name', texts.labels.businessName, {
      hint: texts.labels.businessNameHint,
      value: form.has('name') ? form.text('name') : (link?.business_name ?? ''),
      autocomplete: 'organization',
      maxlength: longestMerchantName,
      required: true,
      error: errors.name,
    }),
    link
      ? html`<p>${account.email}: <strong>${link.email}</strong></p>${errors.email !== undefined && html`<p class="error">${errors.email}</p>`}`
      : emailField(visit, errors.email),
    ...(byMail
      ? []
      : [newPasswordField(texts, errors.password), termsField(config.operator, visit, errors.terms)]),
    hidden({ next }),
  ];
  const action = link ? `/dashboard/open-business/${params['token']}` : '/dashboard/sign-up';
  const cancel = { href: '/dashboard/sign-in', text: shell.cancel };
  const submit = byMail ? account.recoverSend : account.signUpTitle;
  return screen(account.signUpTitle, { status })`
${card(postForm(action, submit, fields, { cancel }))}
<p><a href="/dashboard/sign-up/privacy">${texts.kept.operatorNotice}</a></p>`;
}

function termsField({ termsUrl }: Operator, { texts }: OpenVisit, error?: string): Html {
  if (termsUrl === null) return html``;
  return html`<div class="field">${error !== undefined && html`<p class="error" id="terms-error">${error}</p>`}
<div class="choice"><input type="checkbox" id="terms" name="terms" value="${termsUrl}" required${error !== undefined && html` aria-describedby="terms-error" aria-invalid="true"`}>
<div><label for="terms">${texts.platform.agree}</label>
<p class="hint"><a href="${termsUrl}" target="_blank" rel="noopener">${termsUrl}</a></p></div></div></div>`;
}
