import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { facts, moment, rupees } from '../../components/parts.ts';
import type { AlertEvidence } from '../../queries/orders.ts';

/** What a mail proved, line by line. Everything here is text from outside and shown as text. */
export function evidence(texts: Texts, alert: AlertEvidence, bankName: (id: string) => string): Html {
  const words = texts.orders;
  const line = (name: string, value: Html | string | null) =>
    value === null ? null : ([name, value] as const);
  const at = (date: Date | null) => date && moment(date, 'exact');
  return facts([
    line(words.told, alert.amount_paise === null ? null : rupees(alert.amount_paise)),
    line(words.bank, alert.bank === null ? null : bankName(alert.bank)),
    line(
      words.signedBy,
      alert.signing_domain === null ? null : words.signedByText(alert.signing_domain, alert.selector ?? '–'),
    ),
    line(words.recipient, alert.recipient),
    line(words.reference, alert.bank_reference),
    line(words.payer, alert.payer === null ? null : html`<bdi>${alert.payer}</bdi>`),
    line(
      words.creditedAccount,
      [alert.account_digits && `…${alert.account_digits}`, alert.payee_vpa].filter(Boolean).join(' ') || null,
    ),
    line(words.alertTime, at(alert.alert_time)),
    line(words.arrived, moment(alert.arrived_at, 'exact')),
    line(words.judged, at(alert.judged_at)),
  ]);
}
