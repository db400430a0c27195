import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import { hasMail } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { shutOut } from '../../business/accounts/join-by-phone.ts';
import { listPasskeys } from '../../business/accounts/queries/passkeys.ts';
import { deleteSession, listSessions } from '../../business/accounts/queries/sessions.ts';
import { selectUser, type UserRow } from '../../business/accounts/queries/users.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { sessionLimits } from '../../business/accounts/session.ts';
import { changeRole, type MemberChange, notifyMember, removeMember } from '../../business/accounts/team.ts';
import { type UserRole, userRoles } from '../../outbox/topics.ts';
import { because } from '../../texts/verdicts.ts';
import { describeAgent, sessionEnd } from '../account/account.ts';
import { confirmPage, dangerLink, postButton, postForm } from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, rowList } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { nameOf, roleField, showPhoneLink } from './team.ts';

const home = '/dashboard/team';
const one = `${home}/members/:userId` as const;

export const teamMemberRoutes = [
  get(one, reauth('team.change'), async (world, visit) => {
    const member = await selectUser(world.sql, memberOf(visit));
    return member ? await memberPage(world, visit, member) : notFound();
  }),
  post(`${one}/role`, reauth('team.change'), async (world, visit) => {
    const { form, texts } = visit;
    const role = userRoles.find(one => one === form.text('role'));
    const member = await selectUser(world.sql, memberOf(visit));
    if (!member) return notFound();
    if (!role) return await memberPage(world, visit, member, texts.shell.badFormTitle, 400);
    const change = (tx: Transaction) => changeRole(tx, memberOf(visit), role);
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
  get(`${one}/remove`, reauth('team.change'), async ({ sql }, visit) => {
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
  post(`${one}/remove`, reauth('team.change'), async (world, visit) => {
    const { texts } = visit;
    const remove = (tx: Transaction) => removeMember(tx, memberOf(visit));
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
  post(`${one}/link`, reauth('team.change'), async (world, visit) => {
    const member = await selectUser(world.sql, memberOf(visit));
    if (!member || hasMail(member.email)) return notFound();
    return await showPhoneLink(world, visit, nameOf(member), member);
  }),
  post(`${one}/end`, reauth('team.change'), endDevice),
  post(`${one}/sessions/:sessionId/end`, reauth('team.change'), endDevice),
];

/** Without a mail address the phone is the way in, so its passkey and password end with it. */
async function endDevice(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, texts } = visit;
  const who = memberOf(visit);
  const member = await selectUser(world.sql, who);
  if (!member) return notFound();
  const isPhone = !hasMail(member.email);
  const ended = await makeChange(world, visit, async tx => {
    const { sessionId } = params;
    const isEnded = sessionId ? await deleteSession(tx, merchantId, who.userId, sessionId) : isPhone;
    if (!isEnded) return null;
    if (isPhone) await shutOut(tx, who);
    return { action: 'member.end_device', subject: nameOf(member) };
  });
  const { deviceEnded, phoneEnded } = texts.business;
  const to = `${home}/members/${who.userId}`;
  return ended ? redirect(to, isPhone ? phoneEnded : deviceEnded) : notFound();
}

function memberOf({ merchantId, params, user }: Visit) {
  return { merchantId, userId: params['userId']!, by: user.userId };
}

async function changeMember(
  world: World,
  visit: Visit,
  change: (tx: Transaction) => Promise<MemberChange>,
  after: UserRole | null,
  audited: (before: UserRow) => AuditedChange,
): Promise<MemberChange> {
  const { merchant, user } = visit;
  return await world.sql.begin(async tx => {
    const changed = await change(tx);
    if (changed.outcome !== 'changed') return changed;
    await recordChange(tx, visit, audited(changed.before));
    if (changed.before.email !== user.email)
      await notifyMember(tx, world, changed.before, { merchant: merchant.name, by: user.email, after });
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
  const { business: words, labels, shell } = texts;
  const own = `${home}/members/${member.user_id}`;
  const who = { merchantId, userId: member.user_id };
  const sessions = await listSessions(sql, who, sessionLimits(now));
  const isPhone = !hasMail(member.email);
  const opens = isPhone && (member.password_hash !== '' || (await listPasskeys(sql, who)).length > 0);
  const devices = sessions.map(
    (row): ListRow => ({
      face: { icon: 'phone', tone: 'still' },
      who: describeAgent(row.agent),
      when: html`${labels.lastSeen} ${moment(row.last_seen_at)}`,
      state: sessionEnd(visit, row, own),
    }),
  );
  const role = !isPhone
    ? postForm(`${own}/role`, shell.save, roleField(texts, member.role, error))
    : html`${error !== undefined && html`<p class="error" role="alert">${error}</p>`}<p>${words.onlyCashier}</p>
<div class="actions">${postButton(`${own}/link`, words.newLink)}</div><p class="small quiet">${words.newLinkText}</p>`;
  return shopScreen(visit, 'team', {
    title: nameOf(member),
    status,
  })`<div class="stack groups"><section>${role}</section>
<section><h2>${words.devices}</h2>${sessions.length === 0 ? html`<p class="small quiet">${words.noDevices}</p>` : rowList(devices)}
${opens && html`<div class="actions">${postButton(`${own}/end`, words.endPhone)}</div>`}</section>
<section><div class="actions">${dangerLink(`${own}/remove`, words.remove)}</div></section></div>`;
}
