import type { BothLanguages } from '../in-language.ts';

type WebhooksTexts = {
  title: string;
  text: string;
  all: string;
  failed: string;
  event: string;
  order: string;
  to: string;
  attempt: string;
  when: string;
  outcome: string;
  took: string;
  action: string;
  resend: string;
  details: string;
  request: string;
  body: string;
  response: string;
  waiting: string;
  sending: string;
  delivered: string;
  notDelivered: string;
  resent: Record<'resent' | 'brought_forward' | 'being_sent', string>;
  health: string;
  healthText: (open: number, failed: number) => string;
  failing: (destination: string) => string;
  since: string;
  reason: string;
  resendAll: string;
  resentAll: (count: number) => string;
  test: string;
  testText: string;
  testUrl: string;
  testUrlHint: string;
  sendTest: string;
  testSent: string;
  testFailed: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
};

export const webhooksTexts: BothLanguages<WebhooksTexts> = {
  en: {
    title: 'Webhooks',
    text: 'Every attempt to tell your server about a payment, newest first.',
    all: 'All attempts',
    failed: 'Only failed',
    event: 'Event',
    order: 'Order',
    to: 'To',
    attempt: 'Attempt',
    when: 'When',
    outcome: 'Outcome',
    took: 'Took',
    action: 'Action',
    resend: 'Resend',
    details: 'Request and answer',
    request: 'Request headers',
    body: 'Body',
    response: 'Answer',
    waiting: 'Waiting',
    sending: 'Being sent',
    delivered: 'Delivered',
    notDelivered: 'Failed',
    resent: {
      resent: 'The event is sent again, with the same id and the same content.',
      brought_forward: 'The retry that was waiting is sent now.',
      being_sent: 'This event is being sent at this moment.',
    },
    health: 'How it goes',
    healthText: (open, failed) => `${open} on their way, ${failed} given up.`,
    failing: destination => `${destination} does not take webhooks.`,
    since: 'Since',
    reason: 'Last reason',
    resendAll: 'Resend everything that was given up',
    resentAll: count => `${count} events are sent again.`,
    test: 'Send a test event',
    testText: 'A signed event of type webhook.test, tried once. It says that no payment was made.',
    testUrl: 'Address',
    testUrlHint: 'Empty: the webhook address of your newest order.',
    sendTest: 'Send the test',
    testSent: 'The test is on its way. The first line of the list shows how it ended.',
    testFailed: 'The test was not sent:',
    emptyTitle: 'No webhook yet',
    emptyText: 'The first one is sent when an order is paid. You can send a test event now.',
    noneTitle: 'No failed attempt',
    noneText: 'Every attempt reached your server.',
  },
  hi: {
    title: 'वेबहुक',
    text: 'आपके सर्वर को भुगतान बताने की हर कोशिश, सबसे नई पहले।',
    all: 'सभी कोशिशें',
    failed: 'सिर्फ़ असफल',
    event: 'घटना',
    order: 'ऑर्डर',
    to: 'कहाँ',
    attempt: 'कोशिश',
    when: 'कब',
    outcome: 'नतीजा',
    took: 'समय लगा',
    action: 'कार्य',
    resend: 'फिर भेजें',
    details: 'अनुरोध और जवाब',
    request: 'अनुरोध के हेडर',
    body: 'सामग्री',
    response: 'जवाब',
    waiting: 'इंतज़ार में',
    sending: 'भेजा जा रहा है',
    delivered: 'पहुँच गया',
    notDelivered: 'असफल',
    resent: {
      resent: 'घटना फिर भेजी जा रही है, उसी आईडी और उसी सामग्री के साथ।',
      brought_forward: 'इंतज़ार में पड़ी कोशिश अभी भेजी जा रही है।',
      being_sent: 'यह घटना इसी पल भेजी जा रही है।',
    },
    health: 'हाल',
    healthText: (open, failed) => `${open} रास्ते में, ${failed} छोड़ दिए गए।`,
    failing: destination => `${destination} वेबहुक नहीं ले रहा।`,
    since: 'कब से',
    reason: 'पिछला कारण',
    resendAll: 'छोड़े गए सभी फिर भेजें',
    resentAll: count => `${count} घटनाएँ फिर भेजी जा रही हैं।`,
    test: 'टेस्ट घटना भेजें',
    testText: 'webhook.test प्रकार की साइन की हुई घटना, एक बार भेजी जाती है। उसमें लिखा है कि कोई भुगतान नहीं हुआ।',
    testUrl: 'पता',
    testUrlHint: 'खाली छोड़ें तो आपके सबसे नए ऑर्डर का वेबहुक पता।',
    sendTest: 'टेस्ट भेजें',
    testSent: 'टेस्ट रास्ते में है। सूची की पहली पंक्ति में नतीजा दिखेगा।',
    testFailed: 'टेस्ट नहीं भेजा गया:',
    emptyTitle: 'अभी कोई वेबहुक नहीं',
    emptyText: 'पहला तब भेजा जाता है जब कोई ऑर्डर चुकता है। आप अभी टेस्ट घटना भेज सकते हैं।',
    noneTitle: 'कोई असफल कोशिश नहीं',
    noneText: 'हर कोशिश आपके सर्वर तक पहुँची।',
  },
};
