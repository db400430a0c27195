import type { AuditRow } from '../../accounts/audit.ts';
import { selectAudit } from '../../accounts/queries/audit.ts';
import { type Html, html } from '../../http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import type { World } from '../../world.ts';
import { card } from '../components/card.ts';
import { emptyState } from '../components/empty-state.ts';
import { moment } from '../components/moment.ts';
import { pageHead } from '../components/page-head.ts';
import { pagination } from '../components/pagination.ts';
import { table } from '../components/table.ts';
import { type Answer, type DashboardRoute, page, type Visit } from '../route.ts';

const pageSize = 50;

/** The business's own log; for an operator, whose business is 0, the installation's. */
export const auditRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/dashboard/audit',
    permission: 'audit.read',
    handle: (world, visit) => auditPage(world, visit, '/dashboard/audit'),
  },
  {
    method: 'GET',
    path: '/dashboard/operator/audit',
    permission: 'operator',
    handle: (world, visit) => auditPage(world, visit, '/dashboard/operator/audit'),
  },
];

async function auditPage({ sql }: World, { texts, merchantId, query }: Visit, path: string): Promise<Answer> {
  const { business } = texts;
  const asked = query.text('before');
  const before = /^\d{1,15}$/.test(asked) ? Number(asked) : null;
  const found = await selectAudit(sql, merchantId, { before, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const list = table<AuditRow>({
    caption: business.auditTitle,
    rows,
    columns: [
      { title: business.auditNumber, number: true, cell: row => row.seq },
      { title: business.auditAt, cell: row => moment(row.at) },
      { title: business.auditActor, cell: row => html`<bdi>${row.actor}</bdi>` },
      { title: business.auditAction, cell: row => action(texts, row.action) },
      {
        title: business.auditSubject,
        cell: row =>
          html`<bdi>${row.subject}</bdi>${row.details !== '' && html`<br><bdi class="quiet">${row.details}</bdi>`}`,
      },
      { title: business.auditAddress, cell: row => row.address },
    ],
  });
  const older = found.length > pageSize ? `${path}?before=${rows.at(-1)!.seq}` : null;
  const body = html`${pageHead(business.auditTitle, { text: business.auditText })}
${card(rows.length === 0 ? emptyState(business.auditNone, business.auditNoneText) : list)}
${pagination(texts, { newer: before === null ? null : path, older })}`;
  return page({ title: business.auditTitle, body });
}

/** In words, and as it is written down. */
function action(texts: Texts, code: string): Html {
  const words: Record<string, string> = texts.audit;
  const told = words[code];
  return told === undefined
    ? html`<code>${code}</code>`
    : html`${told}<br><code class="quiet">${code}</code>`;
}
