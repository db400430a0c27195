import { bankNames } from '../../alerts/banks/bank-names.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type AuditAction, readFacts } from '../../business/accounts/audit.ts';
import { type AuditRow, selectAudit } from '../../business/accounts/queries/audit.ts';
import { installation } from '../../business/accounts/record-deed.ts';
import { inEachCell } from '../../operator/cells/in-each-cell.ts';
import type { Texts } from '../../texts/languages.ts';
import { longestFact } from '../../texts/verdicts.ts';
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
  // Each of several databases has a log of the installation, and numbers of its own.
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
  const list = table<Logged>(texts.shell.navigation.audit, rows, [
    { title: texts.labels.when, cell: row => moment(row.at) },
    {
      title: business.auditActor,
      cell: row => html`<bdi class="address">${sayActor(texts, row.actor)}</bdi>`,
    },
    { title: business.auditAction, cell: row => html`<bdi>${sayDeed(texts, row, bank)}</bdi>` },
    {
      title: business.auditAddress,
      cell: row =>
        html`<span class="quiet">${row.address || '–'}<br>${found.length > 1 && `${texts.operator.cell(row.cell)}, `}${business.auditNumber} ${row.seq}</span>`,
    },
  ]);
  const older = isMore ? `${path}?before=${last.join('.')}` : null;
  return screen(texts.shell.navigation.audit, { text: business.auditText })`
${found.map((rows, cell) => rows === null && html`<p>${texts.operator.cell(cell)}: ${texts.labels.outOfReach}</p>`)}
${card(rows.length === 0 ? emptyState(business.auditNone, business.auditNoneText) : list)}
${pagination(texts, { newer: before.every(one => one === null) ? null : path, older })}`;
}

type Logged = AuditRow & { cell: number };

/** The newest of all, each log in its own order; where each of them goes on, and whether one does. */
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

/** As a sentence; what is hashed, the code and its facts, is for `milaan verify` and not for people. */
function sayDeed(texts: Texts, row: AuditRow, bank: (id: string) => string): string {
  // A row may come from another release or with an archive: neither its action nor its facts are surely ours.
  const isKnown = Object.hasOwn(texts.audit, row.action);
  const words = isKnown ? texts.audit[row.action as AuditAction] : texts.business.auditOther;
  const facts = new Map<string, unknown>(
    Object.entries({ ...readFacts(row), subject: row.subject, details: row.details }),
  );
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const fact = (name: string) => [facts.get(name)].filter(isText).join('').slice(0, longestFact);
  const roles = new Map(Object.entries(texts.shell.roles));
  const say = { role: (code: string) => roles.get(code) ?? code, bank };
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
