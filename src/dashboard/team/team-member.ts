import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Person, selectUser, type UserRow } from '../../business/accounts/queries/users.ts';
import type { Deed } from '../../business/accounts/record-deed.ts';
import { changeRole, type MemberChange, removeMember, tellMember } from '../../business/accounts/team.ts';
import { type UserRole, userRoles } from '../../outbox/user-roles.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, dangerLink, postForm } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { roleField } from './role-field.ts';

const one = '/dashboard/team/members/:userId';

export const teamMemberRoutes = [
  get(one, fresh('team.change'), async ({ sql }, visit) => {
    const member = await selectUser(sql, memberOf(visit));
    return member ? memberPage(visit, member) : notFound();
  }),
  post(`${one}/role`, fresh('team.change'), async (world, visit) => {
    const { merchantId, form, texts } = visit;
    const role = userRoles.find(one => one === form.text('role'));
    const member = await selectUser(world.sql, memberOf(visit));
    if (!member) return notFound();
    if (!role) return memberPage(visit, member, texts.shell.badFormTitle, 400);
    const change = (tx: Transaction) => changeRole(tx, merchantId, member.user_id, role);
    const result = await changeMember(world, visit, change, role, ({ email, role: before }) => ({
      action: 'member.role',
      subject: email,
      details: { before, after: role },
      notice: because('role_changed', { email, before: because(before), after: because(role) }),
    }));
    if (result.outcome === 'last_owner') return memberPage(visit, member, texts.business.lastOwner, 409);
    return result.outcome === 'unknown' ? notFound() : redirect('/dashboard/team', texts.business.roleSaved);
  }),
  get(`${one}/remove`, fresh('team.change'), async ({ sql }, visit) => {
    const { business } = visit.texts;
    const member = await selectUser(sql, memberOf(visit));
    if (!member) return notFound();
    return confirmPage(visit, {
      title: business.removeTitle(member.email),
      consequences: business.removeConsequences,
      submit: business.remove,
      back: '/dashboard/team',
    });
  }),
  post(`${one}/remove`, fresh('team.change'), async (world, visit) => {
    const { merchantId, params, texts } = visit;
    const remove = (tx: Transaction) => removeMember(tx, merchantId, params['userId']!);
    const result = await changeMember(world, visit, remove, null, ({ email, role }) => ({
      action: 'member.remove',
      subject: email,
      details: role,
      notice: because('removed_from_team', { email }),
    }));
    if (result.outcome === 'unknown') return notFound();
    if (result.outcome === 'last_owner') {
      const member = await selectUser(world.sql, memberOf(visit));
      return member ? memberPage(visit, member, texts.business.lastOwner, 409) : notFound();
    }
    return redirect('/dashboard/team', texts.business.removed(result.before.email));
  }),
];

/** Whom the address names. */
function memberOf({ merchantId, params }: Visit): Person {
  return { merchantId, userId: params['userId']! };
}

/** Changes a member, records it, and tells whoever was changed by somebody else. */
async function changeMember(
  world: World,
  visit: Visit,
  change: (tx: Transaction) => Promise<MemberChange>,
  after: UserRole | null,
  deed: (before: UserRow) => Deed,
): Promise<MemberChange> {
  const { business, user } = visit;
  return await world.sql.begin(async tx => {
    const changed = await change(tx);
    if (changed.outcome !== 'changed') return changed;
    await recordChange(tx, visit, deed(changed.before));
    if (changed.before.email !== user.email)
      await tellMember(tx, world, changed.before, { business: business.name, by: user.email, after });
    return changed;
  });
}

function memberPage({ texts }: Visit, member: UserRow, error?: string, status = 200): Answer {
  const { business, shell } = texts;
  const title = business.memberTitle(member.email);
  const form = postForm({
    action: `/dashboard/team/members/${member.user_id}/role`,
    fields: roleField(texts, member.role, error),
    submit: shell.save,
    cancel: { href: '/dashboard/team', text: shell.cancel },
  });
  const remove = dangerLink(`/dashboard/team/members/${member.user_id}/remove`, business.remove);
  const back = { href: '/dashboard/team', text: shell.navigation.team };
  return screen(title, { back, status })`${card(form)}${card(html`<div class="actions">${remove}</div>`)}`;
}
