import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Person, selectUser, type UserRow } from '../../business/accounts/queries/users.ts';
import { changeRole, removeMember, tellMember } from '../../business/accounts/team.ts';
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
    const { sql } = world;
    const { merchantId, params, form, texts } = visit;
    const userId = params['userId']!;
    const role = userRoles.find(one => one === form.text('role'));
    const member = await selectUser(sql, memberOf(visit));
    if (!member) return notFound();
    if (!role) return memberPage(visit, member, texts.shell.badFormTitle, 400);
    const result = await sql.begin(async tx => {
      const changed = await changeRole(tx, merchantId, userId, role);
      if (changed.outcome === 'changed') {
        const { email, role: before } = changed.before;
        await recordChange(tx, visit, {
          action: 'member.role',
          subject: email,
          details: { before, after: role },
          notice: because('role_changed', { email, before: because(before), after: because(role) }),
        });
        await tell(tx, world, visit, changed.before, role);
      }
      return changed;
    });
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
    const { sql } = world;
    const { merchantId, params, texts } = visit;
    const userId = params['userId']!;
    const result = await sql.begin(async tx => {
      const removed = await removeMember(tx, merchantId, userId);
      if (removed.outcome === 'changed') {
        const { email, role } = removed.before;
        await recordChange(tx, visit, {
          action: 'member.remove',
          subject: email,
          details: role,
          notice: because('removed_from_team', { email }),
        });
        await tell(tx, world, visit, removed.before, null);
      }
      return removed;
    });
    if (result.outcome === 'unknown') return notFound();
    if (result.outcome === 'last_owner') {
      const member = await selectUser(sql, memberOf(visit));
      return member ? memberPage(visit, member, texts.business.lastOwner, 409) : notFound();
    }
    return redirect('/dashboard/team', texts.business.removed(result.before.email));
  }),
];

/** Whom the address names. */
function memberOf({ merchantId, params }: Visit): Person {
  return { merchantId, userId: params['userId']! };
}

async function tell(
  tx: Transaction,
  world: World,
  { business, user }: Visit,
  member: UserRow,
  after: UserRole | null,
): Promise<void> {
  if (member.email === user.email) return;
  await tellMember(tx, world, member, { business: business.name, by: user.email, after });
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
