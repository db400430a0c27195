import type { BothLanguages } from '../in-language.ts';

type NoticesTexts = {
  title: string;
  text: string;
  unseenTitle: (count: number) => string;
  unseenText: string;
  isNew: string;
  markSeen: string;
  markAll: string;
  markedOne: string;
  marked: (count: number) => string;
  more: string;
  all: string;
  onlyNew: string;
  filter: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
};

export const noticesTexts: BothLanguages<NoticesTexts> = {
  en: {
    title: 'Notices',
    text: 'Dangerous changes, and what went wrong by itself. Owners are told by mail too, where mail is set up.',
    unseenTitle: count => (count === 1 ? 'One new notice' : `${count} new notices`),
    unseenText: 'Look at them once: a change that nobody of you made is how a theft begins.',
    isNew: 'New',
    markSeen: 'Mark as seen',
    markAll: 'Mark all as seen',
    markedOne: 'The notice is marked as seen.',
    marked: count => (count === 1 ? 'One notice is marked as seen.' : `${count} notices are marked as seen.`),
    more: 'See all notices',
    all: 'All',
    onlyNew: 'Only new',
    filter: 'Which notices',
    emptyTitle: 'No notices yet',
    emptyText: 'Changes of UPI accounts, mailbox, keys and team appear here, and what needs you.',
    noneTitle: 'Nothing new',
    noneText: 'Somebody of your team has looked at every notice.',
  },
  hi: {
    title: 'सूचनाएँ',
    text: 'नाज़ुक बदलाव, और जो अपने-आप बिगड़ा। जहाँ मेल चालू है, मालिकों को मेल से भी बताया जाता है।',
    unseenTitle: count => (count === 1 ? 'एक नई सूचना' : `${count} नई सूचनाएँ`),
    unseenText: 'इन्हें एक बार देख लें: जो बदलाव आपमें से किसी ने नहीं किया, चोरी वहीं से शुरू होती है।',
    isNew: 'नई',
    markSeen: 'देखी हुई मानें',
    markAll: 'सबको देखी हुई मानें',
    markedOne: 'सूचना देखी हुई मानी गई।',
    marked: count => `${count} सूचनाएँ देखी हुई मानी गईं।`,
    more: 'सभी सूचनाएँ देखें',
    all: 'सभी',
    onlyNew: 'सिर्फ़ नई',
    filter: 'कौन-सी सूचनाएँ',
    emptyTitle: 'अभी कोई सूचना नहीं',
    emptyText: 'UPI खातों, मेलबॉक्स, कुंजियों और टीम के बदलाव यहाँ दिखते हैं, और जिसमें आपकी ज़रूरत है।',
    noneTitle: 'कुछ नया नहीं',
    noneText: 'आपकी टीम में से किसी ने हर सूचना देख ली है।',
  },
};
