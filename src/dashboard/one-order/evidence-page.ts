import { type Html, html } from '../../base/http/html.ts';
import { readFacts } from '../../business/accounts/audit.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayTime } from '../../texts/say-time.ts';
import { facts, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { evidence } from '../orders/evidence.ts';
import type { OrderAlert } from '../orders/queries.ts';
import { statementSays } from './order-page.ts';
import type { OrderView } from './order-view.ts';

export type Proof = {
  alert: OrderAlert;
  readBy: string | null;
  /** Its time of keeping is over. */
  isGone: boolean;
  isRestored: boolean;
};

/** For people, to be printed: all of it in each language, one after the other. Nothing in it is fetched from anywhere. */
export function evidencePage(visit: Visit, view: OrderView, proof: Proof): Html {
  const sum = rupees(view.order.received_paise ?? view.order.payable_paise);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${view.order.order_id}</title>
<style>body{font:15px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}dl>div{display:flex;flex-wrap:wrap;gap:0 1rem;border-bottom:1px solid #ccc;padding:.2rem 0}dt{flex:0 0 13rem;color:#444}dd{margin:0;flex:1 1 16rem;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #ccc;padding:.2rem .5rem .2rem 0;vertical-align:top;overflow-wrap:anywhere}section+section{break-before:page}</style></head>
<body><main>${languages.map(texts => inLanguage(texts, visit, view, proof, sum))}</main></body></html>`;
}

function inLanguage(texts: Texts, visit: Visit, view: OrderView, proof: Proof, sum: string): Html {
  const { evidence: words, orders, till, tag } = texts;
  const { order, mark, deliveries, bankName } = view;
  const { alert } = proof;
  const at = (moment: Date | null) => moment && sayTime(tag, moment, 'exact');
  const isolated = (text: string | null | undefined) => (text ? html`<bdi>${text}</bdi>` : null);
  return html`<section lang="${tag}">
<h1>${words.heading(sum)}</h1>
<p>${words.made(visit.business.name, visit.user.email, sayTime(tag, visit.now))}</p>
<h2>${words.order}</h2>
${facts([
  [texts.labels.order, order.order_id],
  [orders.ownId, isolated(order.merchant_order_id)],
  [till.purpose, isolated(view.purpose)],
  [texts.labels.customer, isolated([order.customer?.name, order.customer?.email].filter(Boolean).join(', '))],
  [orders.asked, rupees(order.amount_paise)],
  [orders.payable, rupees(order.payable_paise)],
  [texts.labels.received, sum],
  [words.created, at(order.created_at)],
  [words.expires, at(order.expires_at)],
  [words.paid, at(order.paid_at)],
  [orders.account, isolated(`${order.payee_name}, ${order.vpa}`)],
])}
<h2>${words.mail}</h2>
${howPaid(texts, view, proof)}
${evidence(texts, alert, bankName, at)}
${facts([
  [words.statement, statementSays(texts, mark) ?? words.noStatement],
  [texts.statement.description, isolated(mark?.line_text)],
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

function howPaid({ evidence: words, tag }: Texts, { deeds }: OrderView, { alert, readBy }: Proof): Html {
  const taken = deeds.find(deed => deed.action === 'credit.accept' && deed.subject === alert.alert_id);
  const note = taken ? String(readFacts(taken)['note'] ?? '') : '';
  return html`<p>${taken ? words.byPerson(taken.actor, sayTime(tag, taken.at)) : words.byItself}</p>
${note !== '' && html`<p>${words.note}: <bdi>${note}</bdi></p>`}${readBy !== null && html`<p>${words.readBy(readBy)}</p>`}`;
}
