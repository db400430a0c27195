import type { TextSet } from '../texts.ts';

const parts = (text: string) => text.split(', ');
const before = (text: string, mark: string) => text.split(mark)[0] ?? '';
const behind = (text: string, mark: string) => text.split(mark).slice(1).join(mark);
const noted = (text: string) => (text === '' ? '' : ` (${text})`);
const sums = (details: string) => `₹${behind(details, ': ').replace(' for ', ', माँग ₹')}`;

export const audit: TextSet['audit'] = {
  sign_in: 'साइन इन किया',
  'session.end': 'एक सत्र समाप्त किया',
  'session.end_others': ({ details }) => `बाकी सभी सत्र समाप्त किए${noted(details)}`,
  'password.change': 'पासवर्ड बदला',
  'password.recovered': 'लिंक से नया पासवर्ड चुना',
  'password.recovery_link': ({ subject }) => `${subject} के लिए नए पासवर्ड का लिंक बनाया`,
  'two_step.on': 'दो-चरणीय साइन इन चालू किया',
  'two_step.off': ({ subject }) => `${subject} का दो-चरणीय साइन इन बंद किया`,
  'payment_link.create': ({ details }) => `भुगतान लिंक “${details}” बनाया`,
  'payment_link.withdraw': ({ details }) => `भुगतान लिंक “${details}” हटाया`,
  'recovery_code.use': 'रिकवरी कोड से साइन इन किया',
  'recovery_codes.renew': 'नए रिकवरी कोड बनाए',
  'device.add': 'एक डिवाइस पर सूचनाएँ चालू कीं',
  'device.remove': 'एक डिवाइस हटाया',
  'passkey.add': ({ details }) => `पासकी “${details}” जोड़ी`,
  'passkey.remove': ({ details }) => `पासकी “${details}” हटाई`,
  'member.invite': ({ subject, details, role }) => `${subject} को टीम में बुलाया, भूमिका: ${role(details)}`,
  'member.uninvite': ({ subject }) => `${subject} का निमंत्रण वापस लिया`,
  'member.join': ({ details, role }) => `टीम में जुड़े, भूमिका: ${role(details)}`,
  'member.role': ({ subject, details, role }) =>
    `${subject} की भूमिका ${role(before(details, ' to '))} से ${role(behind(details, ' to '))} की`,
  'member.remove': ({ subject }) => `${subject} को टीम से हटाया`,
  'business.invite': ({ subject, details }) => `${subject} को व्यवसाय “${details}” खोलने के लिए बुलाया`,
  'business.open': ({ subject }) => `व्यवसाय “${subject}” खोला`,
  'business.rename': ({ subject, details }) => `व्यवसाय का नाम “${details}” से “${subject}” किया`,
  'business.look': 'दुकान का लोगो या रंग बदला',
  'business.contact': ({ subject }) =>
    subject === '' ? 'ग्राहकों के लिए संपर्क हटाया' : `ग्राहकों के लिए संपर्क बदला: ${subject}`,
  'business.plan': ({ details }) => `प्लान बदलकर “${details.split(' ').at(-1)}” किया`,
  'business.disable': 'व्यवसाय बंद किया',
  'business.enable': 'व्यवसाय चालू किया',
  'business.delete': 'व्यवसाय हटाने को कहा',
  'business.delete_cancel': 'हटाना रद्द किया',
  'business.removed': ({ subject }) => `व्यवसाय नंबर ${subject} हटाया`,
  'operator.create': ({ subject }) => `${subject} को संचालक बनाया`,
  'bank_entry.save': ({ subject, bank }) => `${bank(before(subject, ' '))} का एक मेल-रूप सहेजा`,
  'bank_entry.remove': ({ subject, bank }) => `${bank(before(subject, ' '))} का एक मेल-रूप हटाया`,
  'bank_line.dismiss': ({ subject, details, bank }) =>
    `तय किया कि ${bank(subject)} की यह लाइन सूची में नहीं आएगी: “${details}”`,
  'upi_account.add': ({ details, bank }) =>
    `UPI खाता ${parts(details)[0]} जोड़ा, बैंक: ${bank(parts(details)[2] ?? '')}`,
  'upi_account.default': ({ details }) => `${details} को मुख्य UPI खाता बनाया`,
  'upi_account.bank': ({ details, bank }) =>
    `${before(details, ': ')} का बैंक खाता बदला: ${behind(details, ': ').split(' ').map(bank).join(' ')}`,
  'upi_account.remove': ({ details }) => `UPI खाता ${details} हटाया`,
  'mailbox.connect': ({ subject }) => `मेलबॉक्स ${subject} जोड़ा`,
  'mailbox.disconnect': ({ subject }) => `मेलबॉक्स ${subject} हटाया`,
  'forwarding.open': ({ subject }) => `आगे भेजने का पता ${subject} खोला`,
  'forwarding.replace': ({ subject }) => `आगे भेजने का पता बदलकर ${subject} किया`,
  'forwarding.stop': ({ subject }) => `आगे भेजने का पता ${subject} छोड़ा`,
  'alert_address.add': ({ subject }) => `अलर्ट का पता ${subject} जोड़ा`,
  'alert_address.confirm': ({ subject }) => `अलर्ट के पते ${subject} की पुष्टि की`,
  'alert_address.remove': ({ subject }) => `अलर्ट का पता ${subject} हटाया`,
  'api_key.create': ({ details }) => `API कुंजी “${details}” बनाई`,
  'api_key.revoke': ({ details }) => `API कुंजी “${details}” रद्द की`,
  'connection.agree': ({ subject }) => `वेबसाइट ${subject} जोड़ने की सहमति दी`,
  'connection.collect': ({ details }) => `वेबसाइट ${parts(details)[0]} जुड़ गई और उसे कुंजी मिली`,
  'connection.replayed': ({ details }) => `${details} का जुड़ाव ख़त्म किया, क्योंकि उसका कोड दो बार आया`,
  'webhook_secret.show': 'वेबहुक सीक्रेट देखा',
  'webhook_secret.rotate': 'वेबहुक सीक्रेट बदला',
  'webhook.resend': 'एक वेबहुक फिर भेजा',
  'webhook.resend_failed': ({ subject }) => `सभी असफल वेबहुक फिर भेजे (${before(subject, ' ')})`,
  'webhook.test': ({ details }) => `${details} पर टेस्ट घटना भेजी`,
  'credit.attach': ({ details }) => `बताया कि कुछ पैसे ऑर्डर ${details} के हैं`,
  'credit.accept': ({ details }) => `ऑर्डर ${before(details, ': ')} के लिए पैसे स्वीकार किए: ${sums(details)}`,
  'credit.decline': ({ details }) => `ऑर्डर ${before(details, ': ')} के लिए पैसे अस्वीकार किए: ${sums(details)}`,
  'credit.given_back': ({ details }) =>
    `दर्ज किया कि ₹${before(details, ' ')} लौटा दिए गए${noted(behind(details, ' '))}`,
  'credit.keep': ({ details }) => `बिना ऑर्डर के ₹${before(details, ' ')} रख लिए${noted(behind(details, ' '))}`,
  'credit.reopen': ({ details }) =>
    details === '' ? 'पैसे के बारे में फ़ैसला वापस लिया' : `ऑर्डर ${details} के बारे में फ़ैसला वापस लिया`,
  'order.proof': ({ subject }) => `ऑर्डर ${subject} से ₹1 की जाँच शुरू की`,
  'notice.seen': 'सूचनाएँ देखी हुई मानीं',
  'workshop.look': 'संचालक ने न पढ़ा गया एक मेल देखा',
  'near_misses.choose': ({ subject }) =>
    subject === 'on' ? 'चुना कि मिलते-जुलते भुगतान फ़ैसले के लिए रुकें' : 'चुना कि मिलते-जुलते भुगतान बस सूची में आएँ',
  'webhook.events': ({ subject }) =>
    subject === '–' ? 'चुना कि कौन-सी घटनाएँ भेजी जाएँ' : `चुना कि ${subject} पर कौन-सी घटनाएँ भेजी जाएँ`,
  actors: { milaan: 'मिलान', operator: 'संचालक' },
};
