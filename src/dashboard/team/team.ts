import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { mayGuess, strangerGuesses } from '../../business/accounts/guesses.ts';
import { deleteInvitation, type LinkRow, listInvitations } from '../../business/accounts/queries/links.ts';
import {
  listMembers,
  type Member,
  type Person,
  selectUser,
  type UserRow,
} from '../../business/accounts/queries/users.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import {
  changeRole,
  inviteMember,
  type MemberChange,
  notifyMember,
  removeMember,
} from '../../business/accounts/team.ts';
import { type UserRole, userRoles } from '../../outbox/topics.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { emailField } from '../account/account-fields.ts';
import {
  confirmPage,
  copyable,
  dangerButton,
  dangerLink,
  linkButton,
  plainLink,
  postForm,
  radioField,
} from '../frame/controls.ts';
import { badge, buttonColumn, card, emptyState, moment, screen, table } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';

export const teamRoutes = [
  get('/dashboard/team', 'business.read', async ({ sql }, visit) => {
    const { texts, merchantId, now } = visit;
    const { business } = texts;
    const members = await listMembers(sql, merchantId);
    const invitations = await listInvitations(sql, merchantId, now);
    const actions = visit.may('team.change')
      ? { actions: linkButton('/dashboard/team/invite', business.invite) }
      : {};
    return screen(texts.shell.navigation.team, { text: business.teamText, ...actions })`
${card(memberTable(visit, members))}
${visit.may('team.change') && card(invitationTable(visit, invitations), { title: business.invitations })}`;
  }),
];

function memberTable({ texts, user, may }: Visit, rows: readonly Member[]): Html {
  const { business, shell } = texts;
  return table<Member>(shell.navigation.team, rows, [
    {
      title: business.member,
      cell: row =>
        html`<bdi>${row.email}</bdi> ${row.user_id === user.userId && badge(business.you, 'good')}`,
    },
    { title: business.role, cell: row => shell.roles[row.role] },
    { title: business.factors, cell: row => factors(row) },
    {
      title: texts.labels.lastSeen,
      cell: row => (row.last_seen_at ? moment(row.last_seen_at) : texts.labels.never),
    },
    ...(may('team.change')
      ? [
          buttonColumn(texts.labels.action, (row: Member) =>
            plainLink(`/dashboard/team/members/${row.user_id}`, business.change),
          ),
        ]
      : []),
  ]);

  function factors(row: Member): Html {
    if (!row.has_totp && row.passkeys === 0) return badge(business.none, 'warn');
    return html`${row.has_totp && badge(business.app, 'good')} ${row.passkeys > 0 && badge(business.passkey, 'good')}`;
  }
}

function invitationTable({ texts: { business, labels, shell } }: Visit, rows: readonly LinkRow[]): Html {
  if (rows.length === 0) {
    const next = plainLink('/dashboard/team/invite', business.invite);
    return emptyState(business.invitationsNone, business.invitationsNoneText, next);
  }
  return table<LinkRow>(business.invitations, rows, [
    { title: business.member, cell: row => html`<bdi>${row.email}</bdi>` },
    { title: business.role, cell: row => shell.roles[row.role ?? 'auditor'] },
    { title: business.expires, cell: row => moment(row.expires_at) },
    buttonColumn(labels.action, row =>
      dangerButton(`/dashboard/team/invitations/${row.link_id}/withdraw`, business.withdraw),
    ),
  ]);
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
  return screen(business.invite, { text: business.inviteText, status })`
${card(postForm('/dashboard/team/invite', business.inviteSend, fields, { cancel }))}`;
}

/** The only page that ever shows the link; only its hash is stored. */
function invitedPage({ texts }: Visit, email: string, { link, mailed }: { link: string; mailed: boolean }) {
  const { business } = texts;
  const title = business.invited({ email });
  return screen(title)`${card(html`<p>${mailed ? business.invitedMailed : business.invitedByHand}</p>
<p>${copyable(texts, 'invitation', link, business.inviteLink)}</p>
<div class="actions">${plainLink('/dashboard/team', texts.shell.back)}</div>`)}`;
}

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
      title: business.removeTitle(member),
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
    return redirect('/dashboard/team', texts.business.removed({ email: result.before.email }));
  }),
];

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

function memberPage({ texts }: Visit, member: UserRow, error?: string, status = 200): Answer {
  const { business, shell } = texts;
  const title = business.memberTitle(member);
  const form = postForm(
    `/dashboard/team/members/${member.user_id}/role`,
    shell.save,
    roleField(texts, member.role, error),
    { cancel: { href: '/dashboard/team', text: shell.cancel } },
  );
  const remove = dangerLink(`/dashboard/team/members/${member.user_id}/remove`, business.remove);
  const back = { href: '/dashboard/team', text: shell.navigation.team };
  return screen(title, { back, status })`${card(form)}${card(html`<div class="actions">${remove}</div>`)}`;
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
