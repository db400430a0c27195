import type { TriedMail } from '../../alerts/judging/try-mail.ts';
import { mostMailBytes } from '../../alerts/mail/limits.ts';
import { type Html, html } from '../../base/http/html.ts';
import { formatAmount } from '../../orders/page/format-amount.ts';
import { doubtAboutAccount } from '../../payments/matching/pay-order.ts';
import { sayReason } from '../../texts/say.ts';
import { button, fileField } from '../frame/controls.ts';
import { facts, moment, note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { AccountRow } from '../upi-accounts/queries.ts';
import { type CheckState, checkLine } from './read-path.ts';

export const tryMailPath = '/dashboard/first-steps/mail';

export type Tried = TriedMail | { fault: string } | null;
type Own = { mailbox: string | null; accounts: readonly AccountRow[] };

export function tryMailForm(visit: Visit, tried: Tried, own: Own): Html {
  const words = visit.texts.tryMail;
  const fault = tried && 'fault' in tried ? tried.fault : undefined;
  return html`<details id="try-mail"${tried && html` open`}><summary>${words.title}</summary><div class="stack"><p>${words.text}</p>
${tried && 'judgement' in tried && result(visit, tried, own)}
${
  visit.may('business.change') &&
  html`<form method="post" action="${tryMailPath}#try-mail" enctype="multipart/form-data" class="stack">
${fileField('mail', words.file, { hint: words.fileHint, accept: '.eml,message/rfc822', mostBytes: mostMailBytes, tooLarge: words.tooLarge, error: fault })}
<div class="actions">${button(words.submit, { plain: true })}</div>
</form>`
}
<details><summary>${words.how}</summary><ul class="steps-list">${words.ways.map(way => html`<li>${way}</li>`)}</ul></details></div></details>`;
}

type Line = readonly [gate: keyof Visit['texts']['firstSteps']['gates'], state: CheckState, text: string];

function result(visit: Visit, tried: TriedMail, own: Own): Html {
  const { texts } = visit;
  const words = texts.tryMail;
  const { judgement } = tried;
  const { facts: read } = judgement;
  const lines = linesOf(visit, tried, own);
  const isRead = judgement.verdict === 'credit';
  const pays = isRead && lines.every(([, state]) => state === 'done');
  const tone = pays ? 'good' : isRead ? 'warn' : 'bad';
  return html`<div aria-live="polite" class="stack"><h3>${words.result}</h3>
<ol class="checks">${lines.map(([gate, state, text]) => checkLine(texts, gate, state, words.states[state], text))}</ol>
${
  read &&
  facts([
    [texts.labels.amount, formatAmount(read.amount).text],
    [words.digits, read.accountDigits ?? words.notPrinted],
    [texts.labels.reference, read.reference ?? words.notPrinted],
    [words.payer, html`<bdi>${read.payer ?? words.notPrinted}</bdi>`],
    [texts.labels.bankTime, judgement.alertTime && moment(judgement.alertTime)],
  ])
}
${note(pays ? words.pays : isRead ? words.paysOnce : words.paysNot, tone)}
${judgement.verdict === 'retrying' && html`<p>${words.later}</p>`}
${isRead && read && read.trust !== 'confirmed' && html`<p>${words.waits[read.trust]}</p>`}
${judgement.verdict === 'unreadable' && html`<p>${words.addBank} <a href="/docs/banks#how-your-bank-is-added">${texts.banks.howAdded}</a></p>`}</div>`;
}

/** How far the mail came. It passed every check before the one that stopped it. */
function linesOf({ texts }: Visit, tried: TriedMail, own: Own): Line[] {
  const words = texts.tryMail;
  const { judgement } = tried;
  const why = sayReason(texts.tag, judgement.reason);
  const { bankName, signingDomain, selector } = judgement;
  const rest = (...gates: Line[0][]) => gates.map((gate): Line => [gate, 'waiting', words.notReached]);
  if (bankName === null) return [['bank', 'failed', why], ...rest('signed', 'read')];
  const bank: Line = ['bank', 'done', bankName];
  if (signingDomain === null)
    return [bank, ['signed', judgement.verdict === 'retrying' ? 'waiting' : 'failed', why], ...rest('read')];
  const signed: Line = ['signed', 'done', `${signingDomain}, ${selector}`];
  const addressed = addressedLine(words, tried, own.mailbox);
  if (judgement.verdict === 'wrong_recipient') return [bank, signed, addressed];
  if (judgement.verdict !== 'credit') {
    const hasRecipient = judgement.recipient !== null;
    return [bank, signed, ['read', 'failed', why], ...(hasRecipient ? [addressed] : rest('addressed'))];
  }
  const { bankId, facts: read } = judgement;
  const isOwn = own.accounts.some(account => doubtAboutAccount({ ...read, bank: bankId }, account) === null);
  const account = [bankName, read.accountDigits && `…${read.accountDigits}`].filter(Boolean).join(' ');
  return [
    bank,
    signed,
    ['read', 'done', formatAmount(read.amount).text],
    addressed,
    isOwn
      ? ['own_account', 'done', words.account({ account })]
      : ['own_account', 'waiting', words.noAccount({ account })],
  ];
}

/** The mail's recipient does not affect the other checks, because the mailbox may be connected later. */
function addressedLine(
  words: Visit['texts']['tryMail'],
  { judgement, otherRecipients }: TriedMail,
  mailbox: string | null,
): Line {
  if (otherRecipients !== null)
    return [
      'addressed',
      'waiting',
      mailbox === null
        ? words.noMailbox({ addresses: otherRecipients })
        : words.isOther({ addresses: otherRecipients, mailbox }),
    ];
  return judgement.recipient === null
    ? ['addressed', 'failed', words.toNobody]
    : ['addressed', 'done', words.isOwn({ address: judgement.recipient })];
}
