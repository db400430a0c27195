import { type Language, tellIn } from '../notices/tell-in.ts';
import type { Role } from './permissions.ts';

type Mail = { subject: string; text: string };

type MailTexts = {
  openBusiness: (link: string) => Mail;
  hasAccount: (signIn: string) => Mail;
  join: (facts: { by: string; business: string; link: string }) => Mail;
  recover: (facts: { email: string; link: string; address: string }) => Mail;
  /** `after` is null for somebody who was removed. */
  role: (facts: { business: string; by: string; before: Role; after: Role | null }) => Mail;
};

/** The mails that carry a link to one person. A name inside a subject must hold no line break. */
export const mailTexts: Record<Language, MailTexts> = {
  en: {
    openBusiness: link => ({
      subject: 'Open your business on Milaan',
      text: `Open this within seven days to choose a password:\n${link}\n\nIf you did not ask for it, do nothing.\n`,
    }),
    hasAccount: signIn => ({
      subject: 'You have an account on Milaan already',
      text: `Somebody, most likely you, wanted to open a business with this address, which has an account already.\n\nSign in, or ask for a new password:\n${signIn}\n`,
    }),
    join: ({ by, business, link }) => ({
      subject: `Join ${business} on Milaan`,
      text: `${by} invites you to join ${business} on Milaan.\n\nOpen this within seven days to choose a password:\n${link}\n`,
    }),
    recover: ({ email, link, address }) => ({
      subject: 'A new password for Milaan',
      text:
        `Somebody, most likely you, asked for a new password for ${email}.\n\nOpen this within an hour:\n${link}\n\n` +
        `It was asked for from ${address}. If that was not you, do nothing: the old password stays.\n`,
    }),
    role: ({ business, by, before, after }) => ({
      subject: `Your role in ${business} on Milaan`,
      text:
        (after === null
          ? 'You were removed from the team and can no longer sign in.'
          : `Your role was changed from ${before} to ${after}.`) +
        `\n\nBusiness: ${business}\nBy: ${by}\n\nIf this should not be, ask an owner of the business or the operator of this service.\n`,
    }),
  },
  hi: {
    openBusiness: link => ({
      subject: 'मिलान पर अपना व्यवसाय खोलें',
      text: `पासवर्ड चुनने के लिए सात दिन के भीतर इसे खोलें:\n${link}\n\nअगर आपने यह नहीं माँगा, तो कुछ न करें।\n`,
    }),
    hasAccount: signIn => ({
      subject: 'मिलान पर आपका खाता पहले से है',
      text: `किसी ने, शायद आपने ही, इस पते से व्यवसाय खोलना चाहा; इस पते का खाता पहले से है।\n\nसाइन इन करें, या नया पासवर्ड माँगें:\n${signIn}\n`,
    }),
    join: ({ by, business, link }) => ({
      subject: `मिलान पर ${business} से जुड़ें`,
      text: `${by} आपको मिलान पर ${business} से जुड़ने के लिए बुलाते हैं।\n\nपासवर्ड चुनने के लिए सात दिन के भीतर इसे खोलें:\n${link}\n`,
    }),
    recover: ({ email, link, address }) => ({
      subject: 'मिलान के लिए नया पासवर्ड',
      text:
        `किसी ने, शायद आपने ही, ${email} के लिए नया पासवर्ड माँगा।\n\nएक घंटे के भीतर इसे खोलें:\n${link}\n\n` +
        `यह ${address} से माँगा गया। अगर वह आप नहीं थे, तो कुछ न करें: पुराना पासवर्ड बना रहेगा।\n`,
    }),
    role: ({ business, by, before, after }) => ({
      subject: `मिलान पर ${business} में आपकी भूमिका`,
      text:
        (after === null
          ? 'आपको टीम से हटा दिया गया है; अब आप साइन इन नहीं कर सकते।'
          : `आपकी भूमिका ${tellIn('hi', before)} से बदलकर ${tellIn('hi', after)} कर दी गई है।`) +
        `\n\nव्यवसाय: ${business}\nकिसने: ${by}\n\nअगर यह ठीक नहीं है, तो व्यवसाय के किसी मालिक या इस सेवा के संचालक से पूछें।\n`,
    }),
  },
};
