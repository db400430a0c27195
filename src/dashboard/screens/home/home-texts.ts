import type { BothLanguages } from '../in-language.ts';

type HomeTexts = {
  title: string;
  today: string;
  orders: (count: number) => string;
  month: string;
  ofLimit: (limit: string) => string;
  median: string;
  slowest: string;
  timingHint: string;
  noTiming: string;
  chart: (days: number) => string;
  chartSummary: (days: number, total: string, best: string, day: string) => string;
  asTable: string;
  day: string;
  collected: string;
  paidOrders: string;
  attention: string;
  allWell: string;
  noAccount: string;
  noBank: (vpa: string) => string;
  nameBank: string;
  noMailbox: string;
  blind: (address: string) => string;
  blindSince: string;
  needsLogin: string;
  failing: (destination: string) => string;
  lastFailure: string;
  givenUp: (count: number) => string;
  unmatched: (count: number) => string;
  paused: (count: number, limit: number) => string;
  limitNear: (percent: number, limit: string) => string;
  limitReached: (limit: string) => string;
  addAccount: string;
  connectMailbox: string;
  openMailbox: string;
  openWebhooks: string;
  openMoney: string;
  openPlan: string;
  emptyTitle: string;
  emptyText: string;
  firstSteps: string;
};

export const homeTexts: BothLanguages<HomeTexts> = {
  en: {
    title: 'Home',
    today: 'Collected today',
    orders: count => (count === 1 ? '1 paid order' : `${count} paid orders`),
    month: 'Collected this month',
    ofLimit: limit => `of ${limit} in your plan`,
    median: 'Alert to paid, median',
    slowest: 'Alert to paid, 95 in 100',
    timingHint: 'since the bank’s mail, last 30 days',
    noTiming: 'No payment yet',
    chart: days => `Collections of the last ${days} days`,
    chartSummary: (days, total, best, day) =>
      `${total} in ${days} days; the best day was ${day} with ${best}.`,
    asTable: 'As a table',
    day: 'Day (India)',
    collected: 'Collected',
    paidOrders: 'Paid orders',
    attention: 'Needs your attention',
    allWell: 'Nothing needs your attention.',
    noBank: vpa => `The UPI account ${vpa} does not name its bank, so no alert confirms a payment to it.`,
    nameBank: 'Name the bank',
    noAccount: 'There is no UPI account yet, so no order can be created.',
    noMailbox: 'No mailbox is connected, so no payment can be confirmed.',
    blind: address =>
      `We cannot read ${address}. Payments made now are confirmed only once we can read it again.`,
    blindSince: 'Since',
    needsLogin: 'The mail server refuses the password: connect the mailbox again.',
    failing: destination => `Webhooks do not reach ${destination}.`,
    lastFailure: 'Last reason',
    givenUp: count =>
      count === 1
        ? 'One webhook was given up. You can resend it.'
        : `${count} webhooks were given up. You can resend them.`,
    unmatched: count =>
      count === 1
        ? 'One bank alert of the last 7 days paid no order.'
        : `${count} bank alerts of the last 7 days paid no order.`,
    paused: (count, limit) =>
      `Your plan has room for ${limit} UPI ${limit === 1 ? 'account' : 'accounts'}; ${count} ${count === 1 ? 'is' : 'are'} paused.`,
    limitNear: (percent, limit) =>
      `${percent}% of this month’s limit of ${limit} is used. At 100% no new orders can be created.`,
    limitReached: limit =>
      `This month’s limit of ${limit} is reached: no new orders can be created until next month.`,
    addAccount: 'Add a UPI account',
    connectMailbox: 'Connect a mailbox',
    openMailbox: 'See the mailbox',
    openWebhooks: 'See the webhooks',
    openMoney: 'Look at the money',
    openPlan: 'See plan and usage',
    emptyTitle: 'No payment yet',
    emptyText: 'The first steps lead you from here to a first confirmed payment of one rupee.',
    firstSteps: 'Go to the first steps',
  },
  hi: {
    title: 'मुख्य पेज',
    today: 'आज की वसूली',
    orders: count => `${count} भुगतान हुए ऑर्डर`,
    month: 'इस महीने की वसूली',
    ofLimit: limit => `आपके प्लान की सीमा ${limit}`,
    median: 'अलर्ट से भुगतान तक, मध्य',
    slowest: 'अलर्ट से भुगतान तक, 100 में 95',
    timingHint: 'बैंक के मेल से, पिछले 30 दिन',
    noTiming: 'अभी कोई भुगतान नहीं',
    chart: days => `पिछले ${days} दिनों की वसूली`,
    chartSummary: (days, total, best, day) => `${days} दिनों में ${total}; सबसे अच्छा दिन ${day}, ${best}।`,
    asTable: 'तालिका के रूप में',
    day: 'दिन (भारत)',
    collected: 'वसूली',
    paidOrders: 'भुगतान हुए ऑर्डर',
    attention: 'इन पर ध्यान दें',
    allWell: 'अभी किसी बात पर ध्यान देने की ज़रूरत नहीं।',
    noBank: vpa => `UPI खाते ${vpa} में उसका बैंक दर्ज नहीं है, इसलिए कोई अलर्ट उसके भुगतान की पुष्टि नहीं करता।`,
    nameBank: 'बैंक दर्ज करें',
    noAccount: 'अभी कोई UPI खाता नहीं है, इसलिए ऑर्डर नहीं बन सकते।',
    noMailbox: 'कोई मेलबॉक्स जुड़ा नहीं है, इसलिए किसी भुगतान की पुष्टि नहीं हो सकती।',
    blind: address => `हम ${address} पढ़ नहीं पा रहे। अभी किए गए भुगतान की पुष्टि तभी होगी जब हम उसे फिर पढ़ पाएँगे।`,
    blindSince: 'कब से',
    needsLogin: 'मेल सर्वर पासवर्ड नहीं मान रहा: मेलबॉक्स फिर से जोड़ें।',
    failing: destination => `वेबहुक ${destination} तक नहीं पहुँच रहे।`,
    lastFailure: 'पिछला कारण',
    givenUp: count => `${count} वेबहुक छोड़ दिए गए। आप उन्हें फिर भेज सकते हैं।`,
    unmatched: count => `पिछले 7 दिनों के ${count} बैंक अलर्ट से कोई ऑर्डर नहीं चुका।`,
    paused: (count, limit) => `आपके प्लान में ${limit} UPI खाते हैं; ${count} रुके हुए हैं।`,
    limitNear: (percent, limit) =>
      `इस महीने की सीमा ${limit} का ${percent}% इस्तेमाल हो चुका है। 100% पर नए ऑर्डर नहीं बनेंगे।`,
    limitReached: limit => `इस महीने की सीमा ${limit} पूरी हो गई: अगले महीने तक नए ऑर्डर नहीं बनेंगे।`,
    addAccount: 'UPI खाता जोड़ें',
    connectMailbox: 'मेलबॉक्स जोड़ें',
    openMailbox: 'मेलबॉक्स देखें',
    openWebhooks: 'वेबहुक देखें',
    openMoney: 'पैसे देखें',
    openPlan: 'प्लान और उपयोग देखें',
    emptyTitle: 'अभी कोई भुगतान नहीं',
    emptyText: 'पहले कदम आपको यहाँ से एक रुपये के पहले पक्के भुगतान तक ले जाते हैं।',
    firstSteps: 'पहले कदम देखें',
  },
};
