import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { facts, moment, rupees } from '../frame/parts.ts';
import type { AlertEvidence } from './queries/orders.ts';

/** The mail's evidence, line by line. All of it comes from outside and is shown as text. */
export function evidence(
  texts: Texts,
  alert: AlertEvidence,
  bankName: (id: string) => string,
  at: (date: Date | null) => HtmlValue = date => date && moment(date, 'exact'),
): Html {
  const words = texts.orders;
  const { amount_paise, bank, signing_domain: domain, payer, account_digits, payee_vpa } = alert;
  const account = [account_digits && `…${account_digits}`, payee_vpa].filter(Boolean).join(' ');
  return facts([
    [texts.labels.amount, amount_paise === null ? null : rupees(amount_paise)],
    [texts.labels.bank, bank === null ? null : bankName(bank)],
    [
      words.signedBy,
      domain === null ? null : words.signedByText({ domain, selector: alert.selector ?? '–' }),
    ],
    [words.recipient, alert.recipient],
    [words.reference, alert.bank_reference],
    [texts.labels.payer, payer === null ? null : html`<bdi>${payer}</bdi>`],
    [words.creditedAccount, account || null],
    [texts.labels.bankTime, at(alert.alert_time)],
    [texts.labels.cameIn, at(alert.arrived_at)],
    [words.judged, at(alert.judged_at)],
  ]);
}
