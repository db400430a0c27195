import { bankNames } from '../../alerts/banks/bank-names.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type AuditAction, readFacts } from '../../business/accounts/audit.ts';
import { type AuditRow, selectAudit } from '../../business/accounts/queries/audit.ts';
import type { Texts } from '../../texts/languages.ts';
import { card, emptyState, moment, pagination, screen, table } from '../frame/parts.ts';
import { type Answer, get, type Visit } from '../frame/route.ts';

const pageSize = 50;

/** The business's own log; for an operator, whose business is 0, the installation's. */
export const auditRoutes = [
  get('/dashboard/audit', 'audit.read', (world, visit) => auditPage(world, visit, '/dashboard/audit')),
  get('/dashboard/operator/audit', 'operator', (world, visit) =>
    auditPage(world, visit, '/dashboard/operator/audit'),
  ),
];

async function auditPage(world: World, { texts, merchantId, query }: Visit, path: string): Promise<Answer> {
  const { business } = texts;
  const asked = query.text('before');
  const before = /^\d{1,15}$/.test(asked) ? Number(asked) : null;
  const found = await selectAudit(world.sql, merchantId, { before, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const bank = bankNames(world);
  const list = table<AuditRow>(texts.shell.navigation.audit, rows, [
    { title: texts.labels.when, cell: row => moment(row.at) },
    {
      title: business.auditActor,
      cell: row => html`<bdi class="address">${sayActor(texts, row.actor)}</bdi>`,
    },
    { title: business.auditAction, cell: row => html`<bdi>${sayDeed(texts, row, bank)}</bdi>` },
    {
      title: business.auditAddress,
      cell: row =>
        html`<span class="quiet">${row.address || '–'}<br>${business.auditNumber} ${row.seq}</span>`,
    },
  ]);
  const older = found.length > pageSize ? `${path}?before=${rows.at(-1)!.seq}` : null;
  return screen(texts.shell.navigation.audit, { text: business.auditText })`
${card(rows.length === 0 ? emptyState(business.auditNone, business.auditNoneText) : list)}
${pagination(texts, { newer: before === null ? null : path, older })}`;
}

/** As a sentence; what is hashed, the code and its facts, is for `milaan verify` and not for people. */
function sayDeed(texts: Texts, row: AuditRow, bank: (id: string) => string): string {
  const words = texts.audit[row.action as AuditAction] ?? texts.business.auditOther;
  const facts: Record<string, unknown> = { ...readFacts(row), subject: row.subject, details: row.details };
  const fact = (name: string) => String(facts[name] ?? '');
  const roles: Record<string, string> = texts.shell.roles;
  const say = { role: (code: string) => roles[code] ?? code, bank };
  const fill = (_: string, given: string | undefined, kind: keyof typeof say | undefined, name: string) => {
    if (kind) return say[kind](fact(name));
    if (given === undefined) return fact(name);
    const told = given.split(', ').map(fact).filter(Boolean).join(', ');
    return told === '' ? '' : ` (${told})`;
  };
  return (typeof words === 'function' ? words(fact) : words).replaceAll(place, fill);
}

/** As `texts/en/audit.ts` has them. */
const place = /\{(?:\(([\w, ]+)\)|(?:(role|bank):)?(\w+))\}/g;

/** A mail address, alone or behind the word `operator`; or one of the two that have none. */
function sayActor({ business: { auditActors: actors } }: Texts, actor: string): string {
  if (actor === 'milaan') return actors.milaan;
  const [word, address = ''] = actor.split(' ');
  return word === 'operator' ? `${actors.operator} ${address}`.trim() : actor;
}
