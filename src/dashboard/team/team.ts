import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { mayGuess, strangerGuesses } from '../../business/accounts/guesses.ts';
import { inviteByPhone } from '../../business/accounts/join-by-phone.ts';
import { phoneLinkValidFor } from '../../business/accounts/links.ts';
import { deleteInvitation, type LinkRow, listInvitations } from '../../business/accounts/queries/links.ts';
import { listMembers, type Member, type UserRow } from '../../business/accounts/queries/users.ts';
import { inviteMember } from '../../business/accounts/team.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { userRoles } from '../../outbox/topics.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { emailField } from '../account/account-fields.ts';
import { fold } from '../frame/choosing.ts';
import { copyable, field, postButton, postForm, radioField, whenConfirmed } from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, letterFace, rowList } from '../frame/rows.ts';
import { shopScreen, teamTabs } from '../frame/shop-page.ts';
import { stillAllowed } from '../frame/still-allowed.ts';

const home = '/dashboard/team';
const longestName = 60;

export const teamRoutes = [
  get(home, 'business.read', (world, visit) => teamPage(world, visit)),
  post(`${home}/cashier`, reauth('team.change'), addCashier),
  get(`${home}/invite`, reauth('team.change'), async (_world, visit) => invitePage(visit)),
  post(`${home}/invite`, reauth('team.change'), async (world, visit) => {
    const { form, texts, merchantId, user, merchant } = visit;
    const email = parseMailAddress(form.text('email'));
    const role = userRoles.find(one => one === form.text('role'));
    if (!email || !role) return invitePage(visit, texts.account.wrongEmail, 400);
    if (!(await mayGuess(world, strangerGuesses('invite', email, merchantId))))
      return invitePage(visit, texts.account.tooManyTries, 429);
    const wanted = { merchantId, email, role, merchant: merchant.name, by: user.email, language: texts.tag };
    const notice = because('invited', { email, role: because(role) });
    const audited = { action: 'member.invite', subject: email, details: role, notice } as const;
    const invite = async (tx: Transaction) => {
      await stillAllowed(tx, visit, 'team.change');
      return await inviteMember(tx, world, wanted);
    };
    const invitation = await makeChange(world, visit, invite, made => made.outcome === 'invited' && audited);
    if (invitation.outcome === 'taken') return invitePage(visit, texts.business.inviteTaken, 409);
    return invitedPage(visit, email, invitation);
  }),
  post(`${home}/invitations/:linkId/withdraw`, 'team.change', async (world, visit) => {
    const { merchantId, params, texts } = visit;
    const withdrawn = await makeChange(world, visit, async tx => {
      const email = await deleteInvitation(tx, merchantId, params['linkId']!);
      return email === null ? null : { action: 'member.uninvite', subject: email };
    });
    return withdrawn ? redirect(home, texts.labels.removed) : notFound();
  }),
];

async function teamPage({ sql }: Pick<World, 'sql'>, visit: Visit, nameFault?: string): Promise<Answer> {
  const { texts, merchantId, now, form, may } = visit;
  const { business: words } = texts;
  const [members, invitations] = await Promise.all([
    listMembers(sql, merchantId),
    may('team.change') ? listInvitations(sql, merchantId, now) : [],
  ]);
  const name = () =>
    postForm(
      `${home}/cashier`,
      words.showQr,
      field('name', words.name, {
        value: form.text('name'),
        maxlength: longestName,
        autocomplete: 'off',
        required: true,
        error: nameFault,
      }),
    );
  return shopScreen(visit, 'team', nameFault === undefined ? {} : { status: 400 })`${teamTabs(visit, 'team')}
<div class="wrapped">${rowList(members.map(member => memberRow(visit, member)))}</div>
${
  may('team.change') &&
  html`<section class="card" id="cashier"><h2>${words.addCashier}</h2><p class="small quiet">${words.addCashierText}</p>${whenConfirmed(visit, name)}</section>
<p class="middle"><a class="link" href="${home}/invite">${words.invite}</a><br><span class="small quiet">${words.inviteWho}</span></p>
${invitations.length > 0 && html`<section><h2>${words.invitations}</h2><div class="wrapped">${rowList(invitations.map(one => invitationRow(visit, one)))}</div></section>`}`
}`;
}

function memberRow({ texts, user, may }: Visit, member: Member): ListRow {
  const { business: words, labels, shell } = texts;
  const isMe = member.user_id === user.userId;
  const said = [
    isMe && words.you,
    member.last_seen_at && html`${labels.lastSeen} ${moment(member.last_seen_at)}`,
    member.has_totp || member.passkeys > 0 ? words.isSafe : words.isNotSafe,
  ].filter(Boolean);
  return {
    ...(may('team.change') && { href: `${home}/members/${member.user_id}` }),
    face: letterFace(nameOf(member)),
    who: html`<bdi>${nameOf(member)}</bdi>`,
    what: said.length > 0 && html`${said.map((one, at) => html`${at > 0 && ' · '}${one}`)}`,
    state: html`<span class="small quiet">${shell.roles[member.role]}</span>`,
  };
}

function invitationRow({ texts }: Visit, link: LinkRow): ListRow {
  const { business: words, shell } = texts;
  return {
    face: letterFace(link.person ?? link.email),
    who: html`<bdi>${link.person ?? link.email}</bdi>`,
    what: html`${shell.roles[link.role ?? 'auditor']} · ${words.expires} ${moment(link.expires_at, 'date')}`,
    state: postButton(`${home}/invitations/${link.link_id}/withdraw`, words.withdraw),
  };
}

async function addCashier(world: World, visit: Visit): Promise<Answer> {
  const name = readName(visit.form.text('name'), longestName);
  if (name === null) return await teamPage(world, visit, visit.texts.business.nameFault);
  return await showPhoneLink(world, visit, name);
}

function invitePage(visit: Visit, error?: string, status = 200): Answer {
  const { texts, form } = visit;
  const { business, shell } = texts;
  const fields = [emailField(visit, error, 'off'), roleField(texts, form.text('role') || 'support')];
  const cancel = { href: home, text: shell.cancel };
  return shopScreen(visit, 'team', { title: business.invite, text: business.inviteText, status })`
${postForm(`${home}/invite`, business.inviteSend, fields, { cancel })}`;
}

/** Shows an invitation's link, once; only its hash is stored. */
function invitedPage(visit: Visit, email: string, { link, mailed }: { link: string; mailed: boolean }) {
  const { business } = visit.texts;
  const title = business.invited({ email });
  return shopScreen(visit, 'team', {
    title,
  })`<p>${mailed ? business.invitedMailed : business.invitedByHand}</p>
<p>${copyable(visit.texts, 'invitation', link, business.inviteLink)}</p>`;
}

export function roleField({ shell, business }: Texts, value: string, error?: string): Html {
  return radioField('role', business.role, {
    value,
    error,
    choices: userRoles.map(role => ({
      value: role,
      text: shell.roles[role],
      hint: business.roleMeanings[role],
    })),
  });
}

/** The name of a person who joined by phone, or the mail address that people sign in with. */
export function nameOf({ name, email }: Pick<UserRow, 'name' | 'email'>): string {
  return name ?? email;
}

export async function showPhoneLink(
  world: World,
  visit: Visit,
  name: string,
  known?: UserRow,
): Promise<Answer> {
  const { texts, merchantId, user, now, merchant } = visit;
  const words = texts.business;
  const link = await makeChange(
    world,
    visit,
    async tx => {
      await stillAllowed(tx, visit, 'team.change');
      return await inviteByPhone(tx, world, { merchantId, name, by: user.email }, known);
    },
    () => {
      const notice = because('invited', { email: name, role: because('cashier') });
      return { action: 'member.invite', subject: name, details: 'cashier', notice };
    },
  );
  const message = words.phoneMessage({ name, business: merchant.name, link });
  return shopScreen(visit, 'team', { title: words.addCashier })`<div class="stack middle">
<div class="qr" role="img" aria-label="${words.joinQr}">${trusted(qrSvg(link))}</div>
<p><strong>${words.letScan({ name })}</strong><br><span class="small quiet">${words.worksOnce} ${moment(later(now, phoneLinkValidFor))}</span></p></div>
<div class="actions two"><a class="button" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${texts.counter.whatsapp}</a>
<button type="button" class="button plain" data-share="${link}" data-share-text="${words.invite}" hidden>${texts.counter.share}</button></div>
<p class="small quiet middle">${words.phoneSafe}</p>
${fold(words.inviteLink, html`<p>${copyable(texts, 'invitation', link, words.inviteLink)}</p>`)}`;
}
