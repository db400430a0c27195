import { type Html, html } from '../../base/http/html.ts';
import { type LinkRow, listInvitations } from '../../business/accounts/queries/links.ts';
import { listMembers, type Member } from '../../business/accounts/queries/users.ts';
import { dangerButton, linkButton, plainLink } from '../frame/controls.ts';
import { badge, buttonColumn, card, emptyState, moment, screen, table } from '../frame/parts.ts';
import { get, type Visit } from '../frame/route.ts';

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
  return table<Member>({
    caption: shell.navigation.team,
    rows,
    columns: [
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
    ],
  });

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
  return table<LinkRow>({
    caption: business.invitations,
    rows,
    columns: [
      { title: business.member, cell: row => html`<bdi>${row.email}</bdi>` },
      { title: business.role, cell: row => shell.roles[row.role ?? 'auditor'] },
      { title: business.expires, cell: row => moment(row.expires_at) },
      buttonColumn(labels.action, row =>
        dangerButton(`/dashboard/team/invitations/${row.link_id}/withdraw`, business.withdraw),
      ),
    ],
  });
}
