import { bankNames } from '../../alerts/banks/bank-support.ts';
import { html } from '../../base/http/html.ts';
import { hasMail } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { type AuditAction, readFacts } from '../../business/accounts/audit.ts';
import { type AuditRow, selectAudit } from '../../business/accounts/queries/audit.ts';
import { installation } from '../../business/accounts/record-audit.ts';
import { inEachCell } from '../../operator/cells/in-each-cell.ts';
import type { Texts } from '../../texts/languages.ts';
import { longestFact } from '../../texts/verdicts.ts';
import { moment, pagination, screen } from '../frame/parts.ts';
import { type Answer, get, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { shopScreen, teamTabs } from '../frame/shop-page.ts';
import { sayActors } from '../team/say-actors.ts';

const pageSize = 50;

/** The business's log; for an operator, whose business is 0, the installation's. */
export const auditRoutes = [
  get('/dashboard/audit', 'audit.read', (world, visit) => auditPage(world, visit, '/dashboard/audit')),
  get('/dashboard/operator/audit', 'operator', (world, visit) =>
    auditPage(world, visit, '/dashboard/operator/audit'),
  ),
];

async function auditPage(world: World, visit: Visit, path: string): Promise<Answer> {
  const { texts, merchantId, query } = visit;
  const { business } = texts;
  // Each database has its own installation log, with its own numbers.
  const before = query
    .text('before')
    .split('.')
    .map(asked => (/^\d{1,15}$/.test(asked) ? Number(asked) : null));
  const read = ({ sql }: World, cell = 0) =>
    selectAudit(sql, merchantId, { before: before[cell] ?? null, limit: pageSize + 1 });
  const found =
    merchantId === installation ? await inEachCell(world, one => read(one, one.cell)) : [await read(world)];
  const { rows, last, isMore } = newestOf(found, before);
  const bank = bankNames(world);
  const sayActor = await sayActors(world, visit);
  const list = rowList(
    rows.map(row => ({
      who: html`<bdi>${sayEntry(texts, { ...row, subject: hasMail(row.subject) ? row.subject : sayActor(row.subject) }, bank)}</bdi>`,
      what: html`<bdi>${sayActor(row.actor)}</bdi> · ${moment(row.at)}${row.address && html` · ${row.address}`}<span class="desk-only"> · ${found.length > 1 && `${texts.operator.cell({ number: row.cell })}, `}${business.auditNumber} ${row.seq}</span>`,
    })),
    { label: texts.shop.activity },
  );
  const older = isMore ? `${path}?before=${last.join('.')}` : null;
  const body = html`${found.map((rows, cell) => rows === null && html`<p>${texts.operator.cell({ number: cell })}: ${texts.labels.outOfReach}</p>`)}
<div class="wrapped sentences">${list}</div>
${pagination(texts, { newer: before.every(one => one === null) ? null : path, older })}`;
  return merchantId === installation
    ? screen(texts.operator.navigation.operatorLog, { text: business.auditText })`${body}`
    : shopScreen(visit, 'team', {
        title: texts.shop.activity,
      })`${teamTabs(visit, 'audit')}<p class="small quiet">${business.auditText}</p>${body}`;
}

type Logged = AuditRow & { cell: number };

function newestOf(found: readonly (AuditRow[] | null)[], before: readonly (number | null)[]) {
  const left = found.map((rows, cell) => (rows ?? []).map(row => ({ ...row, cell })));
  const last = found.map((_, cell) => before[cell] ?? null);
  const rows: Logged[] = [];
  const next = () => left.flatMap(one => one.slice(0, 1)).sort((a, b) => b.at.getTime() - a.at.getTime())[0];
  for (let row = next(); row && rows.length < pageSize; row = next()) {
    left[row.cell]!.shift();
    last[row.cell] = row.seq;
    rows.push(row);
  }
  return { rows, last, isMore: next() !== undefined };
}

/** Turns an entry into a sentence. The hashed code and facts are for `milaan verify`, not for people. */
function sayEntry(texts: Texts, row: AuditRow, bank: (id: string) => string): string {
  // A row may come from another release or an archive, so its action and facts may be unknown here.
  if (!Object.hasOwn(texts.audit, row.action)) return texts.business.auditOther;
  const action = row.action as AuditAction;
  const words = texts.audit[action];
  const facts = new Map(
    Object.entries({ ...readFacts(row), subject: row.subject, details: row.details })
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value).slice(0, longestFact)]),
  );
  const fact = (name: string) => facts.get(name) ?? '';
  const roles = new Map<string, string>(Object.entries(texts.shell.roles));
  const role = (name: string) => roles.get(fact(name)) ?? fact(name);
  const isOff = ['', '–', 'off'].includes(fact(deciding[action] ?? 'subject'));
  const sentence = typeof words === 'object' ? words[isOff ? 'off' : 'on'] : words;
  const said =
    typeof sentence === 'string'
      ? sentence
      : (sentence as (facts: Record<string, string>) => string)({
          ...Object.fromEntries(facts),
          role: role('details'),
          before: role('before'),
          after: role('after'),
          bank: bank(fact('bank') || row.subject),
          bank_before: bank(fact('bank_before')),
        });
  const more = (inBrackets[action] ?? []).map(fact).filter(Boolean).join(', ');
  return more === '' ? said : `${said} (${more})`;
}

/** The fact that selects between the sentences `on` and `off`, if it is not the subject. */
const deciding: Partial<Record<AuditAction, string>> = {
  'operator.find': 'count',
  'upi_account.ceiling': 'ceiling',
  'upi_account.takings': 'takings',
  'credit.reopen': 'order',
};

/** Facts that are shown in brackets after an audit entry's sentence. */
const inBrackets: Partial<Record<AuditAction, readonly string[]>> = {
  'session.end_others': ['details'],
  'business.disable': ['details'],
  'business.halt_orders': ['details'],
  'operator.find': ['kind', 'hits'],
  'mail.read': ['reference'],
  'credit.accept': ['note'],
  'credit.decline': ['note'],
  'credit.given_back': ['reference', 'note'],
  'orders.export': ['details'],
  'keep.choose': ['subject'],
  'credit.keep': ['note'],
};
