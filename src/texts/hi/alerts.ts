import type { TextSet } from '../texts.ts';

export const alerts: TextSet['alerts'] = {
  title: 'ध्यान देने योग्य रकम',
  text: 'हर बैंक अलर्ट जिससे कोई ऑर्डर नहीं चुका, और क्यों। यहाँ कुछ भी ऑर्डर नहीं बदलता।',
  filter: 'उसका क्या हुआ',
  all: 'सभी',
  why: 'क्यों',
  show: 'दिखाएँ',
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
};
