import type { Bank } from '../../../alerts/banks/bank.ts';
import { type Asked, nameBank } from '../../../alerts/workshop/draft-entry.ts';
import { markNames } from '../../../alerts/workshop/find-marks.ts';
import type { InspectedMail } from '../../../alerts/workshop/inspect-mail.ts';
import type { Form } from '../../../base/http/form.ts';

/** Of whatever is marked or said. */
export const longestValue = 200;

/** What the person marked and said of the bank. */
export function readAsked(form: Form, banks: readonly Bank[], mail: InspectedMail): Asked {
  const text = (name: string) => form.text(name).slice(0, longestValue);
  const chosen = banks.find(({ id }) => id === (mail.bankId ?? text('bank')));
  const name = text('bank_name');
  const [sender, signingDomain] = [text('sender'), text('signing_domain')];
  return {
    marks: Object.fromEntries(markNames.map(mark => [mark, text(mark)])),
    bank: chosen
      ? { id: chosen.id, name: '' }
      : { id: name === '' ? '' : nameBank(banks, name, sender || mail.from || ''), name },
    sender,
    signingDomain,
  };
}
