import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { linkOf, type Order, paymentUrl } from '../../orders/order.ts';
import { formatAmount } from '../../orders/page/format-amount.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { trustGates } from '../../payments/matching/queries/payments.ts';
import { sayReason } from '../../texts/say.ts';
import type { Reason, Verdict } from '../../texts/verdicts.ts';
import { plainLink, postButton } from '../frame/controls.ts';
import { note, orderLink, rupees, timeLeft } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { searchFor } from '../payments/decision.ts';
import type { OrderAlert } from '../payments/queries/orders.ts';
import type { ProofOrder } from './queries.ts';
import { type CheckState, checkLine } from './read-path.ts';

export type Proof = {
  proof: ProofOrder | null;
  alerts: readonly OrderAlert[];
  /** The business has a UPI account and a mailbox. */
  ready: boolean;
  fault: string | undefined;
  baseUrl: string;
  bankName: (id: string) => string;
};

export function proofStep(visit: Visit, proof: Proof): Html {
  const words = visit.texts.firstSteps;
  const isPaid = proof.proof?.status === 'paid';
  return html`<p>${words.proofText}</p>
${!proof.ready && note(words.needFirst)}
${proof.proof && !isPaid && proof.proof.status !== 'manual_review' && payment(visit, proof.proof, proof.baseUrl)}
${
  proof.proof &&
  html`<h3>${words.checks}</h3>
<div id="proof-checks" aria-live="polite"${!isPaid && html` data-live="/dashboard/first-steps/checks"`}>${checkList(visit, proof.proof, proof.alerts, proof.bankName)}</div>`
}
${proof.fault !== undefined && note(proof.fault, 'bad')}
${proof.ready && visit.may('business.change') && !isPaid && html`<div class="actions">${postButton('/dashboard/first-steps/proof', proof.proof === null ? words.start : words.again, { plain: proof.proof !== null })}</div>`}`;
}

function payment({ texts, now }: Visit, order: Order, baseUrl: string): Html {
  const words = texts.firstSteps;
  const amount = formatAmount(order.payable_paise).text;
  if (order.expires_at <= now) return note(words.over);
  const url = paymentUrl(baseUrl, order.pay_token);
  return html`<p class="figure">${words.payExactly({ amount })}</p><p>${words.scan}</p>
<div class="proof-qr" role="img" aria-label="${words.qr({ amount })}">${trusted(qrSvg(linkOf(order)))}</div>
<p class="quiet">${timeLeft(texts, order.expires_at.getTime() - now.getTime())}</p>
<p><a href="${url}" target="_blank" rel="noreferrer">${words.openPage}</a></p>`;
}

/** The script asks for this part repeatedly while the payment is awaited. */
export function checkList(
  visit: Visit,
  order: ProofOrder,
  alerts: readonly OrderAlert[],
  bankName: (id: string) => string,
): Html {
  const { texts } = visit;
  const words = texts.firstSteps;
  const isPaid = order.status === 'paid';
  const waiting = order.status === 'manual_review' && alerts.find(isSearchedFor);
  const seenFrom = { ...visit, url: '/dashboard/first-steps#proof-step' };
  const correction = findCorrection(order, alerts);
  const account = (bank: string | null, digits: string | null) =>
    [bank === null ? '–' : bankName(bank), digits && `…${digits}`].filter(Boolean).join(' ');
  return html`<ol class="checks">${proofChecks(order, alerts).map(check => proofLine(texts, check, alerts[0], account))}</ol>
${
  waiting &&
  visit.may('money.decide') &&
  html`<div class="stack">${searchFor(seenFrom, waiting.alert_id, order.order_id, rupees(order.payable_paise))}</div>`
}
${
  correction &&
  note(html`<p>${words.wrongRecord({ told: account(correction.bank, correction.digits) })}</p>
${visit.may('upi.change') && html`<p class="note-link">${plainLink(`/dashboard/upi-accounts/${order.account_id}/bank?next=/dashboard/first-steps`, words.nameBank)}</p>`}`)
}
${
  isPaid &&
  note(
    html`<p data-over="/dashboard/first-steps"><strong>${words.proven}</strong></p><p>${words.provenText}</p><p class="note-link">${orderLink(order.order_id)}</p>`,
    'good',
  )
}`;
}

function proofLine(
  texts: Visit['texts'],
  { gate, state, why }: ProofCheck,
  alert: OrderAlert | undefined,
  account: (bank: string | null, digits: string | null) => string,
): Html {
  const words = texts.firstSteps;
  const name = { done: words.done, waiting: words.open, failed: texts.shell.statuses.failed }[state];
  const proven: Partial<Record<typeof gate, string | null | undefined>> = {
    signed: alert?.signing_domain && `${alert.signing_domain}, ${alert.selector}`,
    addressed: alert?.recipient,
    read: alert?.amount_paise == null ? null : formatAmount(paise(alert.amount_paise)).text,
    own_account: alert && account(alert.bank, alert.account_digits),
  };
  const waiting = gate === 'arrived' ? words.waitingForMail : '';
  const text = state === 'done' ? (proven[gate] ?? '') : why ? sayReason(texts.tag, why) : waiting;
  return checkLine(texts, gate, state, name, text);
}

/** The account's bank and digits in the proof's alert, if the recorded ones differ. */
type Correction = { bank: string; digits: string | null };

const mostDigits = 6;

/** A genuine alert with the proof's amount, but with another bank or other digits than those recorded. */
function findCorrection(order: ProofOrder, alerts: readonly OrderAlert[]): Correction | null {
  const alert = alerts.find(
    one => one.verdict === 'wrong_account' && one.amount_paise === order.payable_paise && one.bank !== null,
  );
  if (!alert || alert.bank === null || order.status === 'paid') return null;
  const digits = alert.account_digits?.slice(-mostDigits) ?? null;
  const isRecorded =
    alert.bank === order.bank && (digits === null || (order.account_digits ?? '').endsWith(digits));
  return isRecorded ? null : { bank: alert.bank, digits };
}

export const proofGates = ['arrived', 'signed', 'addressed', 'read', 'own_account', 'matched'] as const;
type ProofGate = (typeof proofGates)[number];

type ProofCheck = { gate: ProofGate; state: CheckState; why: Reason | null };

/** How far the newest alert came: what it passed, where it stopped and why, and what is still to come. */
export function proofChecks(order: ProofOrder | null, alerts: readonly OrderAlert[]): ProofCheck[] {
  const alert = order ? (alerts.find(one => one.alert_id === order.alert_id) ?? alerts[0]) : undefined;
  const { passed, stopped } = alert ? progressOf(alert) : { passed: 0, stopped: 'waiting' as const };
  return proofGates.map((gate, at) => {
    if (at < passed) return { gate, state: 'done', why: null };
    const isStop = at === passed && alert !== undefined;
    return { gate, state: isStop ? stopped : 'waiting', why: isStop ? alert.reason : null };
  });
}

/** The check at which each verdict stops. A verdict that is missing here stopped at the last one. */
const stops: Partial<Record<Verdict, ProofGate>> = {
  unjudged: 'signed',
  retrying: 'signed',
  forged: 'signed',
  wrong_recipient: 'addressed',
  not_a_credit: 'read',
  wrong_account: 'own_account',
};

/** It is the proof's own payment, and it waits until the owner has found it in the account. */
function isSearchedFor({ reason }: Pick<OrderAlert, 'reason'>): boolean {
  return trustGates.some(gate => gate === reason?.code);
}

/** How many checks an alert has passed, and whether the next one refused it or is still to come. */
function progressOf(alert: OrderAlert): { passed: number; stopped: 'waiting' | 'failed' } {
  const { verdict, signing_domain, recipient, reason } = alert;
  if (verdict === 'paid') return { passed: proofGates.length, stopped: 'waiting' };
  const unread = signing_domain === null ? 'signed' : recipient === null ? 'addressed' : 'read';
  const gate = verdict === 'unreadable' ? unread : (stops[verdict] ?? 'matched');
  const isOpen = verdict === 'unjudged' || verdict === 'retrying' || isSearchedFor({ reason });
  return { passed: proofGates.indexOf(gate), stopped: isOpen ? 'waiting' : 'failed' };
}
