import type { AccountFault } from '../../../merchants/read-upi-account.ts';
import type { BothLanguages } from '../in-language.ts';

type UpiTexts = {
  title: string;
  text: string;
  list: string;
  accountId: string;
  vpa: string;
  vpaHint: string;
  payeeName: string;
  payeeHint: string;
  kind: string;
  personal: string;
  personalHint: string;
  merchant: string;
  merchantHint: string;
  code: string;
  codeHint: string;
  bank: string;
  bankHint: string;
  noBank: string;
  changeBank: string;
  bankTitle: (vpa: string) => string;
  bankText: string;
  bankSubmit: string;
  bankFlash: (vpa: string) => string;
  digits: string;
  digitsHint: (unusual: readonly [count: number, banks: readonly string[]][]) => string;
  digitsWhy: string;
  digitsFault: (bank: string, count: number) => string;
  added: string;
  isDefault: string;
  makeDefault: string;
  paused: string;
  pausedWhy: (limit: number) => string;
  remove: string;
  actions: string;
  add: string;
  addText: string;
  submit: string;
  addedFlash: (vpa: string) => string;
  defaultFlash: (vpa: string) => string;
  removedFlash: (vpa: string) => string;
  defaultTitle: (vpa: string) => string;
  defaultConsequences: (vpa: string) => readonly string[];
  removeTitle: (vpa: string) => string;
  removeConsequences: readonly string[];
  removeLast: string;
  cannotRemoveDefault: string;
  twice: string;
  faults: Record<AccountFault, string>;
  emptyTitle: string;
  emptyText: string;
};

export const upiTexts: BothLanguages<UpiTexts> = {
  en: {
    title: 'UPI accounts',
    text: 'Where your customers’ money goes. It never passes through us.',
    list: 'Your accounts',
    accountId: 'Account ID (for the API)',
    vpa: 'UPI ID',
    vpaHint: 'Such as chaipoint@okaxis. Check every letter: money sent to a wrong one is gone.',
    payeeName: 'Name shown in the UPI app',
    payeeHint: 'Exactly as the customer’s app shows it, so that they trust it.',
    kind: 'Kind of account',
    personal: 'Personal',
    personalHint:
      'An ordinary UPI ID. Customers scan the QR from another screen, or type the UPI ID and the amount.',
    merchant: 'Merchant',
    merchantHint: 'Verified by your bank as a business. Customers can also open their app with one tap.',
    code: 'Merchant category code',
    codeHint: 'Four digits from your bank, for merchant accounts only.',
    digits: 'Last digits of the bank account',
    digitsHint: unusual =>
      `As many as your bank’s alerts print: four at most banks${unusual
        .map(([count, banks]) => `; ${count === 0 ? 'none' : count} at ${banks.join(', ')}`)
        .join('')}.`,
    digitsWhy:
      'Without them, anybody with an account at your bank could pass their own money off as yours; with them, other digits never count.',
    digitsFault: (bank, count) =>
      `${bank}’s alerts print ${count} digits of the account: enter the last ${count}.`,
    bank: 'Bank',
    bankHint: 'Where the money of this UPI ID arrives. Only alerts of this bank count.',
    noBank:
      'This account does not name its bank yet, so no alert confirms a payment to it. Name the bank and the digits.',
    changeBank: 'Change bank or digits',
    bankTitle: vpa => `The bank account of ${vpa}`,
    bankText:
      'From now on only alerts of this bank about this account confirm payments, also for orders that are open now. The owner is told.',
    bankSubmit: 'Save the bank account',
    bankFlash: vpa => `The bank account of ${vpa} was changed.`,
    added: 'Added',
    isDefault: 'Default',
    makeDefault: 'Make default',
    paused: 'Paused',
    pausedWhy: limit =>
      `Your plan has room for ${limit} UPI ${limit === 1 ? 'account' : 'accounts'}; the oldest keep working. Orders on this one are refused until the plan is larger or an older account is removed.`,
    remove: 'Remove',
    actions: 'Actions',
    add: 'Add a UPI account',
    addText:
      'You are asked to confirm that it is you, and the owner is told: a changed UPI ID is where thieves begin.',
    submit: 'Add the account',
    addedFlash: vpa => `${vpa} was added.`,
    defaultFlash: vpa => `New orders that name no account now go to ${vpa}.`,
    removedFlash: vpa => `${vpa} was removed.`,
    defaultTitle: vpa => `Make ${vpa} the default account?`,
    defaultConsequences: vpa => [
      `Customers of new orders that name no account are asked to pay to ${vpa}.`,
      'Orders that are open now keep their account.',
      'The owner of the business is told.',
    ],
    removeTitle: vpa => `Remove ${vpa}?`,
    removeConsequences: [
      'New orders on this account are refused with invalid_payment_account.',
      'Orders that are open now can still be paid and are still confirmed.',
      'The owner of the business is told.',
    ],
    removeLast: 'It is your only account: until you add another one, no order can be created.',
    cannotRemoveDefault: 'This is the default account. Make another one the default first.',
    twice: 'This UPI ID is on your list already.',
    faults: {
      vpa: 'This is not a UPI ID. It looks like name@bank, without spaces.',
      payee_name: 'Enter the name, at most 99 characters.',
      kind: 'Choose the kind of account.',
      merchant_code: 'A category code has four digits, and only merchant accounts have one.',
      bank: 'Choose the bank from the list.',
      account_digits: 'Enter two to six digits, or nothing.',
    },
    emptyTitle: 'No UPI account yet',
    emptyText:
      'Add the UPI ID that your customers are to pay to. Without one the API answers upi_not_configured.',
  },
  hi: {
    title: 'UPI खाते',
    text: 'आपके ग्राहकों का पैसा यहाँ जाता है। वह हमारे पास से होकर नहीं गुज़रता।',
    list: 'आपके खाते',
    accountId: 'खाता आईडी (API के लिए)',
    vpa: 'UPI ID',
    vpaHint: 'जैसे chaipoint@okaxis। हर अक्षर जाँचें: गलत ID पर गया पैसा वापस नहीं आता।',
    payeeName: 'UPI ऐप में दिखने वाला नाम',
    payeeHint: 'ठीक वही जो ग्राहक के ऐप में दिखता है, ताकि उसे भरोसा हो।',
    kind: 'खाते का प्रकार',
    personal: 'निजी',
    personalHint: 'साधारण UPI ID। ग्राहक दूसरी स्क्रीन से QR स्कैन करते हैं, या UPI ID और रकम लिखते हैं।',
    merchant: 'व्यवसायी',
    merchantHint: 'आपके बैंक ने व्यवसाय के रूप में जाँचा है। ग्राहक एक टैप से अपना ऐप भी खोल सकते हैं।',
    code: 'व्यवसायी श्रेणी कोड',
    codeHint: 'बैंक से मिले चार अंक, सिर्फ़ व्यवसायी खातों के लिए।',
    digits: 'बैंक खाते के आख़िरी अंक',
    digitsHint: unusual =>
      `उतने अंक जितने आपके बैंक के अलर्ट छापते हैं: ज़्यादातर बैंकों में चार${unusual
        .map(
          ([count, banks]) =>
            `; ${banks.map(bank => `“${bank}”`).join(', ')} में ${count === 0 ? 'कोई नहीं' : count}`,
        )
        .join('')}।`,
    digitsWhy: 'वरना आपके बैंक में खाता रखने वाला कोई भी अपने पैसे को आपका दिखा सकता है; दूसरे अंक कभी नहीं गिने जाते।',
    digitsFault: (bank, count) => `${bank} के अलर्ट खाते के ${count} अंक छापते हैं: आख़िरी ${count} अंक लिखें।`,
    bank: 'बैंक',
    bankHint: 'इस UPI ID का पैसा जहाँ आता है। सिर्फ़ इसी बैंक के अलर्ट गिने जाते हैं।',
    noBank: 'इस खाते में उसका बैंक अभी दर्ज नहीं है, इसलिए कोई अलर्ट इसके भुगतान की पुष्टि नहीं करता। बैंक और अंक दर्ज करें।',
    changeBank: 'बैंक या अंक बदलें',
    bankTitle: vpa => `${vpa} का बैंक खाता`,
    bankText:
      'अब से सिर्फ़ इस बैंक के इस खाते के अलर्ट भुगतान की पुष्टि करेंगे, अभी खुले ऑर्डर के लिए भी। मालिक को बताया जाएगा।',
    bankSubmit: 'बैंक खाता सहेजें',
    bankFlash: vpa => `${vpa} का बैंक खाता बदला गया।`,
    added: 'जोड़ा गया',
    isDefault: 'मुख्य',
    makeDefault: 'मुख्य बनाएँ',
    paused: 'रुका हुआ',
    pausedWhy: limit =>
      `आपके प्लान में ${limit} UPI खाते हैं; सबसे पुराने चलते रहते हैं। प्लान बढ़ने या पुराना खाता हटने तक इस पर ऑर्डर नहीं बनेंगे।`,
    remove: 'हटाएँ',
    actions: 'कार्य',
    add: 'UPI खाता जोड़ें',
    addText: 'आपसे पुष्टि माँगी जाएगी कि यह आप ही हैं, और मालिक को बताया जाएगा: चोर UPI ID बदलने से ही शुरू करते हैं।',
    submit: 'खाता जोड़ें',
    addedFlash: vpa => `${vpa} जोड़ा गया।`,
    defaultFlash: vpa => `जिन नए ऑर्डर में खाता नहीं लिखा, वे अब ${vpa} पर जाएँगे।`,
    removedFlash: vpa => `${vpa} हटाया गया।`,
    defaultTitle: vpa => `${vpa} को मुख्य खाता बनाएँ?`,
    defaultConsequences: vpa => [
      `जिन नए ऑर्डर में खाता नहीं लिखा, उनके ग्राहक ${vpa} पर भुगतान करेंगे।`,
      'अभी खुले ऑर्डर अपने खाते पर ही रहेंगे।',
      'व्यवसाय के मालिक को बताया जाएगा।',
    ],
    removeTitle: vpa => `${vpa} हटाएँ?`,
    removeConsequences: [
      'इस खाते पर नए ऑर्डर invalid_payment_account से नकारे जाएँगे।',
      'अभी खुले ऑर्डर चुकाए जा सकते हैं और उनकी पुष्टि होगी।',
      'व्यवसाय के मालिक को बताया जाएगा।',
    ],
    removeLast: 'यह आपका अकेला खाता है: दूसरा जोड़ने तक कोई ऑर्डर नहीं बनेगा।',
    cannotRemoveDefault: 'यह मुख्य खाता है। पहले किसी और को मुख्य बनाएँ।',
    twice: 'यह UPI ID पहले से आपकी सूची में है।',
    faults: {
      vpa: 'यह UPI ID नहीं है। वह name@bank जैसी होती है, बिना खाली जगह के।',
      payee_name: 'नाम लिखें, अधिक से अधिक 99 अक्षर।',
      kind: 'खाते का प्रकार चुनें।',
      merchant_code: 'श्रेणी कोड चार अंकों का होता है, और सिर्फ़ व्यवसायी खातों का।',
      bank: 'सूची से बैंक चुनें।',
      account_digits: 'दो से छह अंक लिखें, या कुछ नहीं।',
    },
    emptyTitle: 'अभी कोई UPI खाता नहीं',
    emptyText: 'वह UPI ID जोड़ें जिस पर ग्राहक भुगतान करेंगे। इसके बिना API upi_not_configured जवाब देता है।',
  },
};
