import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { selectPaidMail } from '../../alerts/held/queries/held-mails.ts';
import { seenKeys } from '../../alerts/judging/queries/keys.ts';
import { splitHeaders } from '../../alerts/mail/split-headers.ts';
import { restoreMessageId } from '../../alerts/origin/restore-message-id.ts';
import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { readFacts } from '../../business/accounts/audit.ts';
import { packZip } from '../../developers/clients/pack-zip.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayTime } from '../../texts/say-time.ts';
import { facts, rupees } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, page, post, reauth, type Visit } from '../frame/route.ts';
import { evidence } from '../payments/evidence.ts';
import { orderPath } from '../payments/payment-rows.ts';
import type { OrderAlert } from '../payments/queries/orders.ts';
import { type OrderView, orderPage, readOrderView, statementSays } from './order-page.ts';

export const oneOrderRoutes = [
  get('/dashboard/orders/:order_id', 'business.read', showOrder),
  post('/dashboard/orders/:order_id/evidence', reauth('evidence.export'), takeEvidence),
];

async function showOrder(world: World, visit: Visit): Promise<Answer> {
  const view = await readOrderView(world, visit);
  if (!view) return notFound();
  const { order_id: orderId } = view.order;
  const isPart = visit.query.text('part') === 'live';
  // A part's forms also lead back to the whole page.
  const seenFrom = { ...visit, url: isPart ? orderPath(orderId) : visit.url };
  const body = orderPage(seenFrom, view);
  // No frame, because the frame would use up a flash message meant for the next page.
  return isPart ? { kind: 'fragment', body } : page({ title: visit.texts.payments.one.title, body });
}

async function takeEvidence(world: World, visit: Visit): Promise<Answer> {
  const view = await readOrderView(world, visit);
  if (view?.order.status !== 'paid' || !view.paying) return notFound();
  const { order_id: subject } = view.order;
  const content = await evidencePack(world, visit, view, view.paying);
  await makeChange(world, visit, async () => ({
    action: 'evidence.export',
    subject,
    details: sha256(content),
  }));
  return { kind: 'download', name: `evidence-${subject}.zip`, type: 'application/zip', content };
}

const mostKeys = 50;

/** Everything that proves how an order was paid, for a reader who need not trust us. */
async function evidencePack({ sql }: World, visit: Visit, view: OrderView, alert: OrderAlert) {
  const { raw: packed, read_by: readBy } = await selectPaidMail(sql, visit.merchantId, alert.alert_id);
  const raw = packed && (await promisify(inflate)(packed).catch(() => null));
  const mail = raw && splitHeaders(raw);
  const restored = mail?.outcome === 'split' ? restoreMessageId(mail) : null;
  const keyName = `${alert.selector}._domainkey.${alert.signing_domain}`.toLowerCase();
  const proof = { alert, readBy, isGone: raw === null, isRestored: restored !== null };
  const files: Record<string, string | Buffer> = { 'evidence.html': evidencePage(visit, view, proof).text };
  if (raw) {
    files['mail.eml'] = raw;
    if (restored) files['mail-as-signed.eml'] = restored.raw;
    const times = (from: Date, to: Date) => `from ${from.toISOString()} to ${to.toISOString()}`;
    files['dkim-key.txt'] = (await seenKeys(sql, keyName, mostKeys))
      .map(key => `${keyName} TXT "${key.record}" ; seen in DNS ${times(key.first_seen, key.last_seen)}\n`)
      .join('');
    // For Debian's python3-dkim, which is independent of us.
    files['verify.py'] = readFileSync(new URL('./verify-evidence.py', import.meta.url));
  }
  const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  const named = Object.entries({ ...files, SHA256SUMS: sums.join('') });
  return packZip(new Map(named.map(([name, content]) => [name, Buffer.from(content)])));
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

type Proof = {
  alert: OrderAlert;
  readBy: string | null;
  isGone: boolean;
  isRestored: boolean;
};

/** A printable page with everything in each language. It loads nothing from anywhere. */
function evidencePage(visit: Visit, view: OrderView, proof: Proof): Html {
  const sum = rupees(view.order.received_paise ?? view.order.payable_paise);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${view.order.order_id}</title>
<style>body{font:15px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}dl>div{display:flex;flex-wrap:wrap;gap:0 1rem;border-bottom:1px solid #ccc;padding:.2rem 0}dt{flex:0 0 13rem;color:#444}dd{margin:0;flex:1 1 16rem;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #ccc;padding:.2rem .5rem .2rem 0;vertical-align:top;overflow-wrap:anywhere}section+section{break-before:page}</style></head>
<body><main>${languages.map(texts => inLanguage(texts, visit, view, proof, sum))}</main></body></html>`;
}

function inLanguage(texts: Texts, visit: Visit, view: OrderView, proof: Proof, sum: string): Html {
  const { evidence: words, orders, counter, tag } = texts;
  const { order, match, deliveries, bankName } = view;
  const { alert } = proof;
  const at = (moment: Date | null) => moment && sayTime(tag, moment, 'exact');
  const isolated = (text: string | null | undefined) => (text ? html`<bdi>${text}</bdi>` : null);
  return html`<section lang="${tag}">
<h1>${words.heading({ sum })}</h1>
<p>${words.made({ business: visit.merchant.name, who: visit.user.email, at: sayTime(tag, visit.now) })}</p>
<h2>${words.order}</h2>
${facts([
  [texts.labels.order, order.order_id],
  [orders.ownId, isolated(order.merchant_order_id)],
  [counter.purpose, isolated(view.order.purpose)],
  [
    texts.labels.customer,
    isolated([shownName(order.customer?.name), order.customer?.email].filter(Boolean).join(', ')),
  ],
  [orders.asked, rupees(order.amount_paise)],
  [orders.payable, rupees(order.payable_paise)],
  [texts.labels.received, sum],
  [words.created, at(order.created_at)],
  [words.expires, at(order.expires_at)],
  [texts.shell.statuses.paid, at(order.paid_at)],
  [orders.account, isolated(`${order.payee_name}, ${order.vpa}`)],
])}
<h2>${words.mail}</h2>
${howPaid(texts, view, proof)}
${evidence(texts, alert, bankName, at)}
${facts([
  [words.statement, statementSays(texts, match) ?? words.noStatement],
  [texts.statement.columnNames.description, isolated(match?.line_text)],
])}
<h2>${words.check}</h2>
${
  proof.isGone
    ? html`<p>${words.gone}</p>`
    : html`${proof.isRestored && html`<p>${words.restored}</p>`}<ol>${words.steps.map(step => html`<li>${step}</li>`)}</ol>`
}
<p>${words.shows}</p>
<h2>${words.webhooks}</h2>
${
  deliveries.length === 0
    ? html`<p>${words.noWebhooks}</p>`
    : html`<table>${[...deliveries]
        .reverse()
        .map(
          one =>
            html`<tr><td>${at(one.started_at ?? one.due_at)}</td><td>${one.type}, ${one.attempt}</td><td><bdi>${one.webhook_url}</bdi></td><td>${one.status_code ?? ''} ${one.state === 'delivered' ? orders.happened.delivered : one.failure && sayReason(tag, one.failure)}</td></tr>`,
        )}</table>`
}
</section>`;
}

function howPaid(
  { evidence: words, tag }: Texts,
  { auditEntries }: OrderView,
  { alert, readBy }: Proof,
): Html {
  const taken = auditEntries.find(
    audited => audited.action === 'credit.accept' && audited.subject === alert.alert_id,
  );
  const note = taken ? String(readFacts(taken)['note'] ?? '') : '';
  return html`<p>${taken ? words.byPerson({ who: taken.actor, at: sayTime(tag, taken.at) }) : words.byItself}</p>
${note !== '' && html`<p>${words.note}: <bdi>${note}</bdi></p>`}${readBy !== null && html`<p>${words.readBy({ who: readBy })}</p>`}`;
}
