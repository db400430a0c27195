import type { BothLanguages } from '../in-language.ts';

type OperatorTexts = {
  businesses: string;
  businessesText: string;
  search: string;
  searchHint: string;
  show: string;
  name: string;
  id: string;
  owner: string;
  plan: string;
  month: string;
  limit: string;
  noLimit: string;
  mailbox: string;
  noMailbox: string;
  lastLook: string;
  never: string;
  webhooks: string;
  webhooksText: (failing: number, failed: number) => string;
  created: string;
  state: string;
  open: string;
  disabled: string;
  leaving: string;
  seen: string;
  blind: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
  disable: string;
  enable: string;
  disableTitle: (name: string) => string;
  disableConsequences: readonly string[];
  disabledFlash: (name: string) => string;
  enabledFlash: (name: string) => string;
  changePlan: string;
  planFlash: (name: string, plan: string) => string;
  health: string;
  healthText: string;
  figures: Record<
    | 'businesses'
    | 'disabled'
    | 'mailboxes'
    | 'blind_mailboxes'
    | 'need_login'
    | 'waiting_alerts'
    | 'due_deliveries'
    | 'failing_destinations'
    | 'paid_today',
    string
  >;
  oldest: string;
  troubled: string;
  troubledNone: string;
  troubledNoneText: string;
};

export const operatorTexts: BothLanguages<OperatorTexts> = {
  en: {
    businesses: 'Businesses',
    businessesText: 'Every business of this installation, newest first.',
    search: 'Search',
    searchHint: 'A part of the name, the whole id, or a user’s mail address.',
    show: 'Show',
    name: 'Business',
    id: 'Id',
    owner: 'Owner',
    plan: 'Plan',
    month: 'This month',
    limit: 'Limit a month',
    noLimit: 'no limit',
    mailbox: 'Mailbox',
    noMailbox: 'none connected',
    lastLook: 'Last looked',
    never: 'never',
    webhooks: 'Webhooks',
    webhooksText: (failing, failed) => `destinations failing: ${failing}, events given up: ${failed}`,
    created: 'Since',
    state: 'State',
    open: 'Open',
    disabled: 'Disabled',
    leaving: 'To be deleted',
    seen: 'Being read',
    blind: 'Out of reach',
    emptyTitle: 'No business yet',
    emptyText:
      'Businesses sign up by themselves, or you create one with “npm run milaan -- create-business”.',
    noneTitle: 'No business fits this search',
    noneText: 'Search for something else.',
    disable: 'Disable',
    enable: 'Enable',
    disableTitle: name => `Disable ${name}?`,
    disableConsequences: [
      'Its API answers 403 merchant_disabled from the next request on.',
      'Customers who have paid open orders are still confirmed and its webhooks still sent.',
      'Its people can sign in and look, but change nothing.',
      'It can be enabled again at any time. The owner is told.',
    ],
    disabledFlash: name => `${name} is disabled.`,
    enabledFlash: name => `${name} is enabled again.`,
    changePlan: 'Change the plan',
    planFlash: (name, plan) => `${name} is now on plan ${plan}.`,
    health: 'Health',
    healthText: 'Mailboxes, alerts and webhooks over all businesses.',
    figures: {
      businesses: 'Businesses',
      disabled: 'Disabled or leaving',
      mailboxes: 'Mailboxes connected',
      blind_mailboxes: 'Mailboxes out of reach',
      need_login: 'Mailboxes that refuse the password',
      waiting_alerts: 'Alerts waiting to be judged',
      due_deliveries: 'Webhooks due now',
      failing_destinations: 'Destinations that fail',
      paid_today: 'Orders paid in 24 hours',
    },
    oldest: 'oldest since',
    troubled: 'Businesses in trouble',
    troubledNone: 'None',
    troubledNoneText: 'Every open business has a mailbox that is being read, and no destination that fails.',
  },
  hi: {
    businesses: 'व्यवसाय',
    businessesText: 'इस सेवा का हर व्यवसाय, सबसे नया पहले।',
    search: 'खोजें',
    searchHint: 'नाम का हिस्सा, पूरी आईडी, या किसी यूज़र का मेल पता।',
    show: 'दिखाएँ',
    name: 'व्यवसाय',
    id: 'आईडी',
    owner: 'मालिक',
    plan: 'प्लान',
    month: 'इस महीने',
    limit: 'महीने की सीमा',
    noLimit: 'कोई सीमा नहीं',
    mailbox: 'मेलबॉक्स',
    noMailbox: 'कोई नहीं जुड़ा',
    lastLook: 'पिछली बार देखा',
    never: 'कभी नहीं',
    webhooks: 'वेबहुक',
    webhooksText: (failing, failed) => `असफल पते: ${failing}, छोड़ी गई घटनाएँ: ${failed}`,
    created: 'कब से',
    state: 'स्थिति',
    open: 'चालू',
    disabled: 'बंद',
    leaving: 'मिटाया जाएगा',
    seen: 'पढ़ा जा रहा है',
    blind: 'पहुँच से बाहर',
    emptyTitle: 'अभी कोई व्यवसाय नहीं',
    emptyText: 'व्यवसाय ख़ुद साइन अप करते हैं, या आप “npm run milaan -- create-business” से बनाते हैं।',
    noneTitle: 'इस खोज में कोई व्यवसाय नहीं',
    noneText: 'कुछ और खोजें।',
    disable: 'बंद करें',
    enable: 'चालू करें',
    disableTitle: name => `${name} बंद करें?`,
    disableConsequences: [
      'इसका API अगले अनुरोध से 403 merchant_disabled जवाब देगा।',
      'जिन ग्राहकों ने खुले ऑर्डर चुका दिए, उनकी पुष्टि होगी और वेबहुक जाएँगे।',
      'इसके लोग साइन इन करके देख सकेंगे, पर कुछ बदल नहीं सकेंगे।',
      'इसे कभी भी फिर चालू किया जा सकता है। मालिक को बताया जाएगा।',
    ],
    disabledFlash: name => `${name} बंद है।`,
    enabledFlash: name => `${name} फिर चालू है।`,
    changePlan: 'प्लान बदलें',
    planFlash: (name, plan) => `${name} अब ${plan} प्लान पर है।`,
    health: 'हाल',
    healthText: 'सभी व्यवसायों के मेलबॉक्स, अलर्ट और वेबहुक।',
    figures: {
      businesses: 'व्यवसाय',
      disabled: 'बंद या जाने वाले',
      mailboxes: 'जुड़े मेलबॉक्स',
      blind_mailboxes: 'पहुँच से बाहर मेलबॉक्स',
      need_login: 'पासवर्ड न मानने वाले मेलबॉक्स',
      waiting_alerts: 'जाँच के इंतज़ार में अलर्ट',
      due_deliveries: 'अभी भेजने योग्य वेबहुक',
      failing_destinations: 'असफल पते',
      paid_today: '24 घंटे में चुके ऑर्डर',
    },
    oldest: 'सबसे पुराना',
    troubled: 'परेशानी वाले व्यवसाय',
    troubledNone: 'कोई नहीं',
    troubledNoneText: 'हर चालू व्यवसाय का मेलबॉक्स पढ़ा जा रहा है, और कोई पता असफल नहीं।',
  },
};
