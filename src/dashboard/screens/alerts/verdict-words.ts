import type { Html } from '../../../http/html.ts';
import type { Verdict } from '../../../verdicts.ts';
import { badge, type Tone } from '../../components/badge.ts';
import type { Texts } from '../../texts/texts.ts';
import { type BothLanguages, inLanguage } from '../in-language.ts';

/** A verdict in a few words, and what it means for the merchant in a sentence. */
export const verdictWords: BothLanguages<Record<Verdict, readonly [name: string, meaning: string]>> = {
  en: {
    paid: ['Paid an order', 'The alert confirmed an order.'],
    no_order: [
      'No order for it',
      'Real money arrived, but no open order asked for exactly this amount. Often the customer left the paise out.',
    ],
    extra_payment: [
      'Paid twice',
      'The order was paid already; this is a second payment of the same amount. You may want to give it back.',
    ],
    too_late: [
      'Too late',
      'The money came more than ten minutes after its order expired. Deliver or give it back, as you agree with the customer.',
    ],
    wrong_account: [
      'Other bank account',
      'The alert names another bank account or UPI ID than the one you recorded, so it confirms nothing.',
    ],
    wrong_recipient: [
      'Sent to somebody else',
      'The bank addressed this mail to an address that is not one of yours. It may be a stranger’s alert that was forwarded.',
    ],
    unreadable: [
      'Not understood',
      'The mail could not be read with certainty. Compare it with your bank statement; the operator can add the wording.',
    ],
    retrying: ['Being retried', 'The bank’s key could not be fetched yet. We keep trying by ourselves.'],
    duplicate: ['Seen before', 'A copy of a mail, or of a payment, that was counted already. Nothing to do.'],
    not_a_credit: [
      'No incoming money',
      'A debit, reversal, request, statement or the like. It never pays an order.',
    ],
    forged: [
      'Not from the bank',
      'The mail claims to be from a bank, but its signature does not prove it. Do not deliver anything because of it.',
    ],
    unjudged: ['Being judged', 'It has just arrived.'],
  },
  hi: {
    paid: ['ऑर्डर चुका', 'इस अलर्ट से एक ऑर्डर की पुष्टि हुई।'],
    no_order: [
      'कोई ऑर्डर नहीं',
      'पैसा सच में आया, पर ठीक इस रकम का कोई खुला ऑर्डर नहीं था। अक्सर ग्राहक पैसे (paise) छोड़ देता है।',
    ],
    extra_payment: [
      'दो बार चुकाया',
      'ऑर्डर पहले ही चुक चुका था; यह उसी रकम का दूसरा भुगतान है। शायद आप इसे लौटाना चाहें।',
    ],
    too_late: [
      'बहुत देर से',
      'पैसा ऑर्डर का समय समाप्त होने के दस मिनट बाद आया। ग्राहक से बात करके सामान दें या पैसा लौटाएँ।',
    ],
    wrong_account: ['दूसरा बैंक खाता', 'अलर्ट में आपके दर्ज खाते या UPI ID से अलग खाता है, इसलिए इससे कुछ पक्का नहीं होता।'],
    wrong_recipient: [
      'किसी और को भेजा',
      'बैंक ने यह मेल ऐसे पते पर भेजा जो आपका नहीं है। हो सकता है किसी और का अलर्ट आगे भेजा गया हो।',
    ],
    unreadable: [
      'समझ में नहीं आया',
      'मेल पक्के तौर पर पढ़ा नहीं जा सका। अपने बैंक स्टेटमेंट से मिलाएँ; संचालक शब्दावली जोड़ सकता है।',
    ],
    retrying: ['फिर कोशिश हो रही है', 'बैंक की कुंजी अभी नहीं मिली। हम अपने-आप कोशिश करते रहेंगे।'],
    duplicate: ['पहले देखा हुआ', 'उस मेल या भुगतान की नकल जो पहले ही गिना जा चुका है। कुछ नहीं करना है।'],
    not_a_credit: ['पैसा आने का मेल नहीं', 'निकासी, वापसी, माँग, स्टेटमेंट आदि। इससे कोई ऑर्डर नहीं चुकता।'],
    forged: ['बैंक का नहीं', 'मेल बैंक का होने का दावा करता है, पर साइन इसे साबित नहीं करता। इसके भरोसे सामान न दें।'],
    unjudged: ['जाँच हो रही है', 'अभी-अभी आया है।'],
  },
};

const tones: Record<Verdict, Tone> = {
  paid: 'good',
  no_order: 'warn',
  extra_payment: 'warn',
  too_late: 'warn',
  wrong_account: 'bad',
  wrong_recipient: 'bad',
  unreadable: 'warn',
  retrying: 'quiet',
  duplicate: 'quiet',
  not_a_credit: 'quiet',
  forged: 'bad',
  unjudged: 'quiet',
};

export function verdictBadge(texts: Texts, verdict: Verdict): Html {
  return badge(inLanguage(texts, verdictWords)[verdict][0], tones[verdict]);
}
