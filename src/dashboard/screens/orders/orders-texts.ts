import type { BothLanguages } from '../in-language.ts';

type OrdersTexts = {
  title: string;
  filter: string;
  status: string;
  anyStatus: string;
  amount: string;
  amountHint: string;
  id: string;
  idHint: string;
  from: string;
  to: string;
  dayHint: string;
  account: string;
  anyAccount: string;
  show: string;
  clear: string;
  ignored: string;
  count: (count: number) => string;
  updated: string;
  paused: string;
  order: string;
  ownId: string;
  payable: string;
  asked: string;
  created: string;
  paid: string;
  expires: string;
  reference: string;
  customer: string;
  webhookUrl: string;
  paymentPage: string;
  open: string;
  emptyTitle: string;
  emptyText: string;
  emptyNext: string;
  noneTitle: string;
  noneText: string;
  csv: string;
  csvHint: (count: number) => string;
  csvProgress: string;
  csvFailed: string;
  archives: string;
  archivesText: (days: number) => string;
  archivesEmpty: string;
  month: string;
  orders: string;
  download: string;
  timeline: string;
  evidence: string;
  evidenceText: string;
  bank: string;
  told: string;
  template: string;
  signedBy: string;
  signedByText: (domain: string, selector: string) => string;
  recipient: string;
  alertTime: string;
  arrived: string;
  judged: string;
  payer: string;
  creditedAccount: string;
  otherAlerts: string;
  otherAlertsText: string;
  happened: {
    created: string;
    expires: string;
    expired: string;
    alert: string;
    paid: string;
    attempt: (n: number) => string;
    waiting: (n: number) => string;
    delivered: string;
    failed: (why: string) => string;
  };
  webhooks: string;
  webhooksEmpty: string;
  resend: string;
  back: string;
};

export const ordersTexts: BothLanguages<OrdersTexts> = {
  en: {
    title: 'Orders',
    filter: 'Filter',
    status: 'Status',
    anyStatus: 'Any status',
    amount: 'Amount in rupees',
    amountHint: 'What you asked for, or what the customer had to pay exactly.',
    id: 'Order id, your own id, or bank reference',
    idHint: 'The whole id, not a part of it.',
    from: 'From',
    to: 'To',
    dayHint: 'Days in India',
    account: 'UPI account',
    anyAccount: 'Any account',
    show: 'Show',
    clear: 'Clear the filter',
    ignored: 'These could not be understood and filter nothing:',
    count: count => (count === 1 ? '1 order' : `${count.toLocaleString('en-IN')} orders`),
    updated: 'This list updates by itself.',
    paused: 'Updates itself on the first page.',
    order: 'Order',
    ownId: 'Your id',
    payable: 'To pay',
    asked: 'Asked for',
    created: 'Created',
    paid: 'Paid',
    expires: 'Payable until',
    reference: 'Bank reference',
    customer: 'Customer',
    webhookUrl: 'Webhook address',
    paymentPage: 'Payment page',
    open: 'Open',
    emptyTitle: 'No orders yet',
    emptyText: 'Your shop creates orders through the API. The Integrations screen has code to copy.',
    emptyNext: 'Go to Integrations',
    noneTitle: 'No order fits this filter',
    noneText: 'Change the filter, or clear it.',
    csv: 'Download as CSV',
    csvHint: count => `${count.toLocaleString('en-IN')} rows, with the filter as it is now.`,
    csvProgress: 'Preparing the file:',
    csvFailed: 'The download stopped. Please try again.',
    archives: 'Archives',
    archivesText: days =>
      `Orders stay here for ${days} days. Before they leave, they are written into an archive of their month.`,
    archivesEmpty: 'No archive yet: nothing has left the history window.',
    month: 'Month',
    orders: 'Orders',
    download: 'Download',
    timeline: 'What happened',
    evidence: 'The bank’s alert that paid this order',
    evidenceText:
      'The payment counts because the bank signed this mail, and the signature was verified here.',
    bank: 'Bank',
    told: 'Amount',
    template: 'Wording',
    signedBy: 'Signed by',
    signedByText: (domain, selector) => `${domain}, key ${selector}`,
    recipient: 'Addressed to (signed)',
    alertTime: 'The bank’s time',
    arrived: 'Reached the mailbox',
    judged: 'Judged',
    payer: 'Payer, as the bank names them',
    creditedAccount: 'Credited account',
    otherAlerts: 'Other alerts about this amount',
    otherAlertsText:
      'They changed nothing. If they are second payments, the customer may want the money back.',
    happened: {
      created: 'Order created',
      expires: 'Payable until',
      expired: 'Link expired',
      alert: 'Bank alert arrived',
      paid: 'Paid',
      attempt: n => `Webhook, attempt ${n}`,
      waiting: n => `Webhook, attempt ${n}, is due`,
      delivered: 'delivered',
      failed: why => `failed: ${why}`,
    },
    webhooks: 'Webhook attempts',
    webhooksEmpty: 'No webhook yet: it is sent once the order is paid.',
    resend: 'Resend',
    back: 'Orders',
  },
  hi: {
    title: 'ऑर्डर',
    filter: 'छाँटें',
    status: 'स्थिति',
    anyStatus: 'कोई भी स्थिति',
    amount: 'रकम (रुपये)',
    amountHint: 'जो आपने माँगी, या जो ग्राहक को ठीक-ठीक चुकानी थी।',
    id: 'ऑर्डर आईडी, आपकी अपनी आईडी, या बैंक संदर्भ',
    idHint: 'पूरी आईडी लिखें, उसका हिस्सा नहीं।',
    from: 'कब से',
    to: 'कब तक',
    dayHint: 'भारत के दिन',
    account: 'UPI खाता',
    anyAccount: 'कोई भी खाता',
    show: 'दिखाएँ',
    clear: 'छँटाई हटाएँ',
    ignored: 'ये समझ में नहीं आए और इनसे कुछ नहीं छाँटा गया:',
    count: count => `${count.toLocaleString('en-IN')} ऑर्डर`,
    updated: 'यह सूची अपने-आप ताज़ा होती है।',
    paused: 'पहले पेज पर अपने-आप ताज़ा होती है।',
    order: 'ऑर्डर',
    ownId: 'आपकी आईडी',
    payable: 'चुकाना है',
    asked: 'माँगी गई रकम',
    created: 'बना',
    paid: 'भुगतान',
    expires: 'कब तक चुका सकते हैं',
    reference: 'बैंक संदर्भ',
    customer: 'ग्राहक',
    webhookUrl: 'वेबहुक पता',
    paymentPage: 'भुगतान पेज',
    open: 'खोलें',
    emptyTitle: 'अभी कोई ऑर्डर नहीं',
    emptyText: 'आपकी दुकान API से ऑर्डर बनाती है। इंटीग्रेशन पेज पर कॉपी करने के लिए कोड है।',
    emptyNext: 'इंटीग्रेशन देखें',
    noneTitle: 'इस छँटाई में कोई ऑर्डर नहीं',
    noneText: 'छँटाई बदलें या हटाएँ।',
    csv: 'CSV डाउनलोड करें',
    csvHint: count => `${count.toLocaleString('en-IN')} पंक्तियाँ, अभी की छँटाई के साथ।`,
    csvProgress: 'फ़ाइल बन रही है:',
    csvFailed: 'डाउनलोड रुक गया। फिर से कोशिश करें।',
    archives: 'पुराने रिकॉर्ड',
    archivesText: days => `ऑर्डर यहाँ ${days} दिन रहते हैं। जाने से पहले वे अपने महीने के रिकॉर्ड में लिखे जाते हैं।`,
    archivesEmpty: 'अभी कोई पुराना रिकॉर्ड नहीं।',
    month: 'महीना',
    orders: 'ऑर्डर',
    download: 'डाउनलोड',
    timeline: 'क्या हुआ',
    evidence: 'बैंक का वह अलर्ट जिससे यह ऑर्डर चुका',
    evidenceText: 'भुगतान इसलिए गिना गया क्योंकि यह मेल बैंक ने साइन किया और हमने साइन जाँचा।',
    bank: 'बैंक',
    told: 'रकम',
    template: 'शब्दावली',
    signedBy: 'किसने साइन किया',
    signedByText: (domain, selector) => `${domain}, कुंजी ${selector}`,
    recipient: 'किसे भेजा (साइन किया हुआ)',
    alertTime: 'बैंक का समय',
    arrived: 'मेलबॉक्स में पहुँचा',
    judged: 'जाँचा गया',
    payer: 'भुगतान करने वाला, बैंक के अनुसार',
    creditedAccount: 'जिस खाते में आया',
    otherAlerts: 'इसी रकम के दूसरे अलर्ट',
    otherAlertsText: 'इनसे कुछ नहीं बदला। अगर ये दूसरी बार के भुगतान हैं, तो ग्राहक पैसे वापस चाह सकता है।',
    happened: {
      created: 'ऑर्डर बना',
      expires: 'कब तक चुका सकते हैं',
      expired: 'लिंक का समय समाप्त',
      alert: 'बैंक का अलर्ट आया',
      paid: 'भुगतान हुआ',
      attempt: n => `वेबहुक, कोशिश ${n}`,
      waiting: n => `वेबहुक, कोशिश ${n}, का समय`,
      delivered: 'पहुँच गया',
      failed: why => `असफल: ${why}`,
    },
    webhooks: 'वेबहुक की कोशिशें',
    webhooksEmpty: 'अभी कोई वेबहुक नहीं: ऑर्डर चुकने पर भेजा जाता है।',
    resend: 'फिर भेजें',
    back: 'ऑर्डर',
  },
};
