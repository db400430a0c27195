import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { joinByPhone } from '../../business/accounts/join-by-phone.ts';
import { findLink } from '../../business/accounts/links.ts';
import { passkeySite } from '../../business/accounts/passkey-site.ts';
import type { LinkRow } from '../../business/accounts/queries/links.ts';
import { selectMerchantName } from '../../business/accounts/queries/merchants.ts';
import { offerRegistration } from '../../business/accounts/register-passkey.ts';
import { startSession } from '../../business/accounts/session.ts';
import { joinTeam } from '../../business/accounts/team.ts';
import { describeAgent } from '../account/account.ts';
import { newPasswordField, passwordError } from '../account/account-fields.ts';
import { fold } from '../frame/choosing.ts';
import { passkeyForm, postForm, readJsonField } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { type Answer, get, notFound, type OpenVisit, post } from '../frame/route.ts';
import { linkOverPage } from '../sign-in/recover.ts';
import { homeOf } from '../sign-in/sign-in.ts';

const path = '/dashboard/join/:token';

/** An invitation's link. Opening it changes nothing, because chat programs open every link for a preview. */
export const joinRoutes = [
  get(path, 'anyone', async (world, visit) => {
    const link = await linkOf(world, visit);
    return link ? await joinPage(world, visit, link) : linkOverPage(visit);
  }),
  post(`${path}/options`, 'anyone', async (world, visit) => {
    const link = await linkOf(world, visit);
    if (!link?.person || link.user_id === null) return notFound();
    const who = { merchantId: link.merchant_id, userId: link.user_id, email: link.person };
    // The join replaces the passkeys that the phone may still have.
    const value = await offerRegistration(world, who, []);
    return value ? { kind: 'json', value } : notFound();
  }),
  post(path, 'anyone', async (world, visit) => {
    const link = await linkOf(world, visit);
    if (!link) return linkOverPage(visit);
    return link.person === null ? await join(world, visit, link) : await letPhoneIn(world, visit, link);
  }),
];

function linkOf(world: World, { params }: OpenVisit): Promise<LinkRow | null> {
  return findLink(world, params['token']!, 'join');
}

async function join(world: World, visit: OpenVisit, link: LinkRow): Promise<Answer> {
  const { texts, form, address, agent } = visit;
  const password = form.raw('password');
  const error = passwordError(texts, password, link.email);
  if (error) return await joinPage(world, visit, link, error, 400);
  const joined = await joinTeam(world, link, { password, address, language: texts.tag });
  if (joined.outcome === 'used') return linkOverPage(visit);
  if (joined.outcome === 'taken') return await joinPage(world, visit, link, texts.account.emailTaken, 409);
  const person = { merchantId: link.merchant_id, userId: joined.userId };
  const { token } = await world.sql.begin(tx =>
    startSession(tx, world, { ...person, stage: 'full', address, agent }),
  );
  return { kind: 'redirect', to: homeOf(link.role ?? ''), session: { token } };
}

async function letPhoneIn(world: World, visit: OpenVisit, link: LinkRow): Promise<Answer> {
  const { texts, form, address, agent } = visit;
  const byPassword = form.has('password');
  const password = form.raw('password');
  const error = byPassword ? passwordError(texts, password, link.email) : undefined;
  if (error) return await joinPage(world, visit, link, error, 400);
  const proof = byPassword
    ? { password }
    : { response: readJsonField(form, 'response'), name: describeAgent(agent) };
  const joined = await joinByPhone(world, link, proof, { address, agent, language: texts.tag });
  if (joined.outcome === 'used') return linkOverPage(visit);
  if (joined.outcome === 'wrong_passkey')
    return await joinPage(world, visit, link, texts.account.passkeyFailed, 400);
  return { kind: 'redirect', to: homeOf('cashier'), session: { token: joined.token } };
}

async function joinPage(
  { sql, baseUrl }: Pick<World, 'sql' | 'baseUrl'>,
  visit: OpenVisit,
  link: LinkRow,
  error?: string,
  status = 200,
): Promise<Answer> {
  const { account, shell } = visit.texts;
  const title = account.joinTitle({ business: (await selectMerchantName(sql, link.merchant_id)) ?? '' });
  const action = `/dashboard/join/${visit.params['token']}`;
  const role = shell.roles[link.role ?? 'auditor'];
  const body =
    link.person === null
      ? html`<p>${account.joinText({ email: link.email, role })}</p>
${postForm(action, account.join, newPasswordField(visit.texts, error))}`
      : phoneBody(visit, link, { action, error, passkeys: passkeySite(baseUrl) !== null });
  return screen(title, { status })`${card(body)}`;
}

/** The phone's screen lock comes first. A password is for a phone or an address without passkeys. */
function phoneBody(
  { texts, form }: OpenVisit,
  { person, email }: LinkRow,
  { action, error, passkeys }: { action: string; error: string | undefined; passkeys: boolean },
): Html {
  const { account } = texts;
  const isTyped = form.has('password');
  const fields = [
    html`<div class="field"><label for="name">${account.signInName}</label><input id="name" value="${email}" autocomplete="username" readonly></div>`,
    newPasswordField(texts, isTyped ? error : undefined),
  ];
  const byPassword = postForm(action, account.join, fields);
  const lock = passkeyForm({
    action,
    options: `${action}/options`,
    kind: 'create',
    submit: account.joinByPhone,
    main: true,
    fields: html``,
  });
  return html`<p>${account.joinPhoneText({ name: person ?? '' })}${passkeys && html` ${account.joinPhoneLock}`}</p>
${error !== undefined && !isTyped && html`<p class="error" role="alert">${error}</p>`}
${passkeys && lock}
${passkeys && !isTyped ? fold(account.joinWithPassword, byPassword) : byPassword}`;
}
