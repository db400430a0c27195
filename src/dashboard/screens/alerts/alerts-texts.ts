import type { BothLanguages } from '../in-language.ts';

type AlertsTexts = {
  title: string;
  text: string;
  filter: string;
  all: string;
  why: string;
  nearMisses: string;
  nearMiss: (payable: string) => string;
  order: string;
  nextTry: string;
  details: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
  toMailbox: string;
};

export const alertsTexts: BothLanguages<AlertsTexts> = {
  en: {
    title: 'Money to look at',
    text: 'Every bank alert that did not pay an order, and why. Nothing here changes an order.',
    filter: 'Filter by reason',
    all: 'All',
    why: 'Why',
    nearMisses: 'Orders that come close',
    nearMiss: payable => `asked for ${payable}`,
    order: 'Concerns order',
    nextTry: 'Next try',
    details: 'What the mail says',
    emptyTitle: 'Nothing to look at',
    emptyText: 'Every alert that arrived has paid its order. Alerts arrive through your mailbox.',
    noneTitle: 'No alert with this reason',
    noneText: 'Choose another reason, or show all of them.',
    toMailbox: 'See the mailbox',
  },
  hi: {
    title: 'ध्यान देने योग्य रकम',
    text: 'हर बैंक अलर्ट जिससे कोई ऑर्डर नहीं चुका, और क्यों। यहाँ कुछ भी ऑर्डर नहीं बदलता।',
    filter: 'कारण से छाँटें',
    all: 'सभी',
    why: 'क्यों',
    nearMisses: 'मिलते-जुलते ऑर्डर',
    nearMiss: payable => `माँगी गई रकम ${payable}`,
    order: 'इस ऑर्डर के बारे में',
    nextTry: 'अगली कोशिश',
    details: 'मेल में क्या है',
    emptyTitle: 'देखने को कुछ नहीं',
    emptyText: 'आए हुए हर अलर्ट से उसका ऑर्डर चुका है। अलर्ट आपके मेलबॉक्स से आते हैं।',
    noneTitle: 'इस कारण का कोई अलर्ट नहीं',
    noneText: 'दूसरा कारण चुनें, या सब दिखाएँ।',
    toMailbox: 'मेलबॉक्स देखें',
  },
};
