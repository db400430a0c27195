import { randomUUID } from 'node:crypto';
import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { hasMail, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { mayGuess, strangerGuesses } from '../../business/accounts/guesses.ts';
import { inviteByPhone, shutOut } from '../../business/accounts/join-by-phone.ts';
import { phoneLinkValidFor } from '../../business/accounts/links.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { deleteInvitation, type LinkRow, listInvitations } from '../../business/accounts/queries/links.ts';
import { deleteSession, type ListedSession, listSessions } from '../../business/accounts/queries/sessions.ts';
import {
  listMembers,
  type Member,
  type Person,
  selectUser,
  type UserRow,
} from '../../business/accounts/queries/users.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { sessionLimits } from '../../business/accounts/session.ts';
import {
  changeRole,
  inviteMember,
  type MemberChange,
  notifyMember,
  removeMember,
} from '../../business/accounts/team.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { type UserRole, userRoles } from '../../outbox/topics.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { describeAgent } from '../account/account.ts';
import { emailField } from '../account/account-fields.ts';
import { fold } from '../frame/choosing.ts';
import {
  confirmPage,
  copyable,
  dangerButton,
  dangerLink,
  field,
  postButton,
  postForm,
  radioField,
  whenFresh,
} from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, letterFace, rowList } from '../frame/rows.ts';
import { shopScreen, teamTabs } from '../frame/shop-page.ts';

const home = '/dashboard/team';
const one = `${home}/members/:userId` as const;
const longestName = 60;

export const teamRoutes = [
  get(home, 'business.read', (world, visit) => teamPage(world, visit)),
  post(`${home}/cashier`, fresh('team.change'), addCashier),
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
${rowList(members.map(member => memberRow(visit, member)))}
${
  may('team.change') &&
  html`<section class="card" id="cashier"><h2>${words.addCashier}</h2><p class="small quiet">${words.addCashierText}</p>${whenFresh(visit, name)}</section>
<p class="middle"><a class="link" href="${home}/invite">${words.invite}</a><br><span class="small quiet">${words.inviteWho}</span></p>
${invitations.length > 0 && html`<section><h2>${words.invitations}</h2>${rowList(invitations.map(one => invitationRow(visit, one)))}</section>`}`
}`;
}

function memberRow({ texts, user, may }: Visit, member: Member): ListRow {
  const { business: words, labels, shell } = texts;
  const isMe = member.user_id === user.userId;
  const isSafe = member.has_totp || member.passkeys > 0;
  return {
    ...(may('team.change') && { href: `${home}/members/${member.user_id}` }),
    face: letterFace(nameOf(member)),
    who: html`<bdi>${nameOf(member)}</bdi>`,
    what: html`${isMe && `${words.you} · `}${member.last_seen_at && html`${labels.lastSeen} ${moment(member.last_seen_at)} · `}${isSafe ? words.isSafe : words.isNotSafe}`,
    state: html`<span class="small quiet">${shell.roles[member.role]}</span>`,
  };
}

function invitationRow({ texts }: Visit, link: LinkRow): ListRow {
  const { business: words, shell } = texts;
  return {
    face: letterFace(link.person ?? link.email),
    who: html`<bdi>${link.person ?? link.email}</bdi>`,
    what: html`${shell.roles[link.role ?? 'auditor']} · ${words.expires} ${moment(link.expires_at)}`,
    state: dangerButton(`${home}/invitations/${link.link_id}/withdraw`, words.withdraw),
  };
}

/** The name of a person who joined by phone, or the mail address that people sign in with. */
function nameOf({ name, email }: Pick<UserRow, 'name' | 'email'>): string {
  return name ?? email;
}

async function addCashier(world: World, visit: Visit): Promise<Answer> {
  const name = readName(visit.form.text('name'), longestName);
  if (name === null) return await teamPage(world, visit, visit.texts.business.nameFault);
  return await showPhoneLink(world, visit, name);
}

/** The only page that ever shows the link; only its hash is stored. */
async function showPhoneLink(world: World, visit: Visit, name: string, known?: UserRow): Promise<Answer> {
  const { texts, merchantId, user, now, business } = visit;
  const words = texts.business;
  const link = await makeChange(
    world,
    visit,
    tx => inviteByPhone(tx, world, { merchantId, name, by: user.email }, known),
    () => {
      const notice = because('invited', { email: name, role: because('cashier') });
      return { action: 'member.invite', subject: name, details: 'cashier', notice };
    },
  );
  const message = words.phoneMessage({ name, business: business.name, link });
  return shopScreen(visit, 'team', { title: words.addCashier })`<div class="stack middle">
<div class="qr" role="img" aria-label="${words.joinQr}">${trusted(qrSvg(link))}</div>
<p><strong>${words.letScan({ name })}</strong><br><span class="small quiet">${words.worksOnce} ${moment(later(now, phoneLinkValidFor))}</span></p></div>
<div class="actions two"><a class="button" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${texts.counter.whatsapp}</a>
<button type="button" class="button plain" data-share="${link}" data-share-text="${words.invite}" hidden>${texts.counter.share}</button></div>
<p class="small quiet middle">${words.phoneSafe}</p>
${fold(words.inviteLink, html`<p>${copyable(texts, 'invitation', link, words.inviteLink)}</p>`)}`;
}

export const teamInvitationRoutes = [
  get('/dashboard/team/invite', fresh('team.change'), async (_world, visit) => invitePage(visit)),
  post('/dashboard/team/invite', fresh('team.change'), async (world, visit) => {
    const { form, texts, merchantId, user, business } = visit;
    const email = parseMailAddress(form.text('email'));
    const role = userRoles.find(one => one === form.text('role'));
    if (!email || !role) return invitePage(visit, texts.account.wrongEmail, 400);
    if (!(await mayGuess(world, strangerGuesses('invite', email, merchantId))))
      return invitePage(visit, texts.account.tooManyTries, 429);
    const wanted = { merchantId, email, role, business: business.name, by: user.email, language: texts.tag };
    const notice = because('invited', { email, role: because(role) });
    const audited = { action: 'member.invite', subject: email, details: role, notice } as const;
    const invite = (tx: Transaction) => inviteMember(tx, world, wanted);
    const invitation = await makeChange(world, visit, invite, made => made.outcome === 'invited' && audited);
    if (invitation.outcome === 'taken') return invitePage(visit, texts.business.inviteTaken, 409);
    return invitedPage(visit, email, invitation);
  }),
  post('/dashboard/team/invitations/:linkId/withdraw', 'team.change', async (world, visit) => {
    const { merchantId, params, texts } = visit;
    const withdrawn = await makeChange(world, visit, async tx => {
      const email = await deleteInvitation(tx, merchantId, params['linkId']!);
      return email === null ? null : { action: 'member.uninvite', subject: email };
    });
    return withdrawn ? redirect('/dashboard/team', texts.business.withdrawn) : notFound();
  }),
];

function invitePage(visit: Visit, error?: string, status = 200): Answer {
  const { texts, form } = visit;
  const { business, shell } = texts;
  const fields = [emailField(visit, error, 'off'), roleField(texts, form.text('role') || 'support')];
  const cancel = { href: '/dashboard/team', text: shell.cancel };
  return shopScreen(visit, 'team', { title: business.invite, text: business.inviteText, status })`
${postForm('/dashboard/team/invite', business.inviteSend, fields, { cancel })}`;
}

/** The only page that ever shows the link; only its hash is stored. */
function invitedPage(visit: Visit, email: string, { link, mailed }: { link: string; mailed: boolean }) {
  const { business } = visit.texts;
  const title = business.invited({ email });
  return shopScreen(visit, 'team', {
    title,
  })`<p>${mailed ? business.invitedMailed : business.invitedByHand}</p>
<p>${copyable(visit.texts, 'invitation', link, business.inviteLink)}</p>`;
}

export const teamMemberRoutes = [
  get(one, fresh('team.change'), async (world, visit) => {
    const member = await selectUser(world.sql, memberOf(visit));
    return member ? await memberPage(world, visit, member) : notFound();
  }),
  post(`${one}/role`, fresh('team.change'), async (world, visit) => {
    const { merchantId, form, texts } = visit;
    const role = userRoles.find(one => one === form.text('role'));
    const member = await selectUser(world.sql, memberOf(visit));
    if (!member) return notFound();
    if (!role) return await memberPage(world, visit, member, texts.shell.badFormTitle, 400);
    const change = (tx: Transaction) => changeRole(tx, merchantId, member.user_id, role);
    const result = await changeMember(world, visit, change, role, ({ email, role: before }) => ({
      action: 'member.role',
      subject: email,
      details: { before, after: role },
      notice: because('role_changed', { email, before: because(before), after: because(role) }),
    }));
    const { lastOwner, onlyCashier } = texts.business;
    if (result.outcome === 'last_owner') return await memberPage(world, visit, member, lastOwner, 409);
    if (result.outcome === 'no_mail') return await memberPage(world, visit, member, onlyCashier, 409);
    return result.outcome === 'unknown' ? notFound() : redirect('/dashboard/team', texts.business.roleSaved);
  }),
  get(`${one}/remove`, fresh('team.change'), async ({ sql }, visit) => {
    const { business } = visit.texts;
    const member = await selectUser(sql, memberOf(visit));
    if (!member) return notFound();
    return confirmPage(visit, {
      title: business.removeTitle({ email: nameOf(member) }),
      consequences: business.removeConsequences,
      submit: business.remove,
      back: `${home}/members/${member.user_id}`,
    });
  }),
  post(`${one}/remove`, fresh('team.change'), async (world, visit) => {
    const { merchantId, params, texts } = visit;
    const remove = (tx: Transaction) => removeMember(tx, merchantId, params['userId']!);
    const result = await changeMember(world, visit, remove, null, before => ({
      action: 'member.remove',
      subject: nameOf(before),
      details: before.role,
      notice: because('removed_from_team', { email: nameOf(before) }),
    }));
    if (result.outcome === 'unknown') return notFound();
    if (result.outcome !== 'changed') {
      const member = await selectUser(world.sql, memberOf(visit));
      return member ? await memberPage(world, visit, member, texts.business.lastOwner, 409) : notFound();
    }
    return redirect('/dashboard/team', texts.business.removed({ email: nameOf(result.before) }));
  }),
  post(`${one}/link`, fresh('team.change'), async (world, visit) => {
    const member = await selectUser(world.sql, memberOf(visit));
    if (!member || hasMail(member.email)) return notFound();
    return await showPhoneLink(world, visit, nameOf(member), member);
  }),
  post(`${one}/sessions/:sessionId/end`, fresh('team.change'), endDevice),
];

/** Without a mail address the phone is the way in, so its passkey and password end with it. */
async function endDevice(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, texts } = visit;
  const who = memberOf(visit);
  const member = await selectUser(world.sql, who);
  if (!member) return notFound();
  const isPhone = !hasMail(member.email);
  const unknown = isPhone ? await hashPassword(randomUUID()) : '';
  const ended = await makeChange(world, visit, async tx => {
    if (!(await deleteSession(tx, merchantId, who.userId, params['sessionId']!))) return null;
    if (isPhone) await shutOut(tx, who, unknown);
    return { action: 'member.end_device', subject: nameOf(member) };
  });
  const { deviceEnded, phoneEnded } = texts.business;
  const to = `${home}/members/${who.userId}`;
  return ended ? redirect(to, isPhone ? phoneEnded : deviceEnded) : notFound();
}

function memberOf({ merchantId, params }: Visit): Person {
  return { merchantId, userId: params['userId']! };
}

/** Changes a member, records it, and notifies the member if somebody else made the change. */
async function changeMember(
  world: World,
  visit: Visit,
  change: (tx: Transaction) => Promise<MemberChange>,
  after: UserRole | null,
  audited: (before: UserRow) => AuditedChange,
): Promise<MemberChange> {
  const { business, user } = visit;
  return await world.sql.begin(async tx => {
    const changed = await change(tx);
    if (changed.outcome !== 'changed') return changed;
    await recordChange(tx, visit, audited(changed.before));
    if (changed.before.email !== user.email)
      await notifyMember(tx, world, changed.before, { business: business.name, by: user.email, after });
    return changed;
  });
}

async function memberPage(
  { sql }: Pick<World, 'sql'>,
  visit: Visit,
  member: UserRow,
  error?: string,
  status = 200,
): Promise<Answer> {
  const { texts, now, merchantId } = visit;
  const { business: words, shell } = texts;
  const own = `${home}/members/${member.user_id}`;
  const sessions = await listSessions(sql, { merchantId, userId: member.user_id }, sessionLimits(now));
  const role = hasMail(member.email)
    ? postForm(`${own}/role`, shell.save, roleField(texts, member.role, error))
    : html`${error !== undefined && html`<p class="error" role="alert">${error}</p>`}<p>${words.onlyCashier}</p>
<div class="actions">${postButton(`${own}/link`, words.newLink)}</div><p class="small quiet">${words.newLinkText}</p>`;
  return shopScreen(visit, 'team', {
    title: nameOf(member),
    status,
  })`<div class="stack groups"><section>${role}</section>
<section><h2>${words.devices}</h2>${sessions.length === 0 ? html`<p class="small quiet">${words.noDevices}</p>` : rowList(sessions.map(session => sessionRow(visit, own, session)))}</section>
<section><div class="actions">${dangerLink(`${own}/remove`, words.remove)}</div></section></div>`;
}

function sessionRow({ texts, session }: Visit, own: string, row: ListedSession): ListRow {
  const { account, labels } = texts;
  const isThis = row.session_id === session.sessionId;
  return {
    face: { icon: 'phone', tone: 'still' },
    who: describeAgent(row.agent),
    when: html`${labels.lastSeen} ${moment(row.last_seen_at)}`,
    state: isThis
      ? html`<span class="small quiet">${account.thisSession}</span>`
      : dangerButton(`${own}/sessions/${row.session_id}/end`, account.endSession),
  };
}

function roleField({ shell, business }: Texts, value: string, error?: string): Html {
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
