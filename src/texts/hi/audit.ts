import type { TextSet } from '../texts.ts';

const noted = (...texts: string[]) => {
  const told = texts.filter(text => text !== '').join(', ');
  return told === '' ? '' : ` (${told})`;
};
const sums = (fact: (name: string) => string) =>
  `₹${fact('received')}, माँग ₹${fact('asked')}${noted(fact('note'))}`;

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
  'chat.add': ({ subject }) => `सूचनाएँ ${subject} पर भेजना शुरू किया`,
  'chat.test': ({ subject }) => `${subject} पर जाँच की सूचना भेजी`,
  'chat.remove': ({ subject }) => `सूचनाएँ ${subject} पर भेजना बंद किया`,
  'passkey.add': ({ details }) => `पासकी “${details}” जोड़ी`,
  'passkey.remove': ({ details }) => `पासकी “${details}” हटाई`,
  'member.invite': ({ subject, details, role }) => `${subject} को टीम में बुलाया, भूमिका: ${role(details)}`,
  'member.uninvite': ({ subject }) => `${subject} का निमंत्रण वापस लिया`,
  'member.join': ({ details, role }) => `टीम में जुड़े, भूमिका: ${role(details)}`,
  'member.role': ({ subject, fact, role }) =>
    `${subject} की भूमिका ${role(fact('before'))} से ${role(fact('after'))} की`,
  'member.remove': ({ subject }) => `${subject} को टीम से हटाया`,
  'business.invite': ({ subject, details }) => `${subject} को व्यवसाय “${details}” खोलने के लिए बुलाया`,
  'business.open': ({ subject }) => `व्यवसाय “${subject}” खोला`,
  'business.rename': ({ subject, details }) => `व्यवसाय का नाम “${details}” से “${subject}” किया`,
  'business.look': 'दुकान का लोगो या रंग बदला',
  'business.languages': ({ subject }) =>
    `ग्राहकों की भाषाएँ बदलीं: ${['en', 'hi', subject].filter(Boolean).join(', ')}`,
  'business.contact': ({ subject }) =>
    subject === '' ? 'ग्राहकों के लिए संपर्क हटाया' : `ग्राहकों के लिए संपर्क बदला: ${subject}`,
  'plans.seller': ({ subject }) =>
    subject === '' ? 'प्लान की बिक्री बंद की' : `व्यवसाय संख्या ${subject} को प्लान का विक्रेता बनाया`,
  'plan.order': ({ details }) => `“${details}” प्लान का भुगतान करने गए`,
  'plan.bought': ({ subject, fact }) =>
    `“${fact('plan')}” प्लान के ${fact('days')} दिन का भुगतान ऑर्डर ${subject} से हुआ`,
  'plan.end': ({ subject, fact }) =>
    `“${fact('plan')}” की अवधि, जिसका भुगतान ऑर्डर ${subject} से हुआ था, ${fact('day')} को ख़त्म की`,
  'business.receipts': 'रसीदों का पता या GSTIN बदला',
  'plans.apply': ({ subject }) => `ये प्लान बदले: ${subject}`,
  'business.plan': ({ details }) => `प्लान बदलकर “${details}” किया`,
  'business.disable': ({ details }) => `व्यवसाय बंद किया${noted(details)}`,
  'business.halt_orders': ({ details }) => `व्यवसाय के नए ऑर्डर रोके${noted(details)}`,
  'business.approve': 'व्यवसाय को सहमति दी',
  'business.note': ({ subject }) => `व्यवसाय संख्या ${subject} पर टिप्पणी लिखी`,
  'terms.accept': ({ subject }) => `शर्तें मानीं, संस्करण ${subject}`,
  'operator.find': ({ fact }) => `${fact('text')} का व्यवसाय ढूँढा${noted(fact('hits'))}`,
  'look.give': ({ subject }) => `संचालक को व्यवसाय नंबर ${subject} के पेज एक घंटे के लिए देखने दिए`,
  'look.take': ({ subject }) => `व्यवसाय नंबर ${subject} में संचालक का देखना बंद किया`,
  'look.begin': ({ subject }) => `व्यवसाय संख्या ${subject} के पेज देखना शुरू किया`,
  'look.end': ({ subject }) => `व्यवसाय संख्या ${subject} के पेज देखना बंद किया`,
  'report.settle': ({ subject }) => `${subject} के भुगतान पेज की शिकायत निपटाई`,
  'business.enable': 'व्यवसाय चालू किया',
  'business.delete': 'व्यवसाय हटाने को कहा',
  'business.delete_cancel': 'हटाना रद्द किया',
  'business.export': 'सब कुछ साथ ले जाने के लिए व्यवसाय यहाँ बंद किया',
  'business.export_file': 'व्यवसाय का सब कुछ डाउनलोड किया',
  'business.export_undo': 'व्यवसाय यहाँ फिर से खोला',
  'business.import': 'व्यवसाय को फ़ाइल से यहाँ लाया गया',
  'business.move': 'व्यवसाय को इसी संस्थापन के दूसरे डेटाबेस में ले जाया गया',
  'business.removed': ({ subject }) => `व्यवसाय नंबर ${subject} हटाया`,
  'operator.create': ({ subject }) => `${subject} को संचालक बनाया`,
  'bank_entry.save': ({ subject, bank }) => `${bank(subject)} का एक मेल-रूप सहेजा`,
  'bank_entry.remove': ({ subject, bank }) => `${bank(subject)} का एक मेल-रूप हटाया`,
  'bank_line.dismiss': ({ subject, details, bank }) =>
    `तय किया कि ${bank(subject)} की यह लाइन सूची में नहीं आएगी: ${details}`,
  'upi_account.add': ({ fact, bank }) => `UPI खाता ${fact('vpa')} जोड़ा, बैंक: ${bank(fact('bank'))}`,
  'upi_account.default': ({ details }) => `${details} को मुख्य UPI खाता बनाया`,
  'upi_account.bank': ({ fact, bank }) =>
    `${fact('vpa')} का बैंक खाता बदला: पहले ${bank(fact('bank_before'))} ${fact('digits_before')}, अब ${bank(fact('bank'))} ${fact('digits')}`,
  'upi_account.ceiling': ({ fact }) =>
    fact('ceiling') === ''
      ? `चुना कि ${fact('vpa')} के भुगतान किसी भी रकम पर अपने-आप पक्के हों`
      : `चुना कि ${fact('vpa')} के ₹${fact('ceiling')} से ऊपर के भुगतान किसी के देखने तक रुकें`,
  'upi_account.takings': ({ fact }) =>
    fact('takings') === 'on'
      ? `चुना कि ${fact('vpa')} पर बिना ऑर्डर के आए भुगतान गिने जाएँ`
      : `चुना कि ${fact('vpa')} पर बिना ऑर्डर के आए भुगतान न गिने जाएँ`,
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
  'connection.collect': ({ fact }) => `वेबसाइट ${fact('name')} जुड़ गई और उसे कुंजी मिली`,
  'connection.rotate': ({ details }) => `वेबसाइट ${details} का वेबहुक सीक्रेट बदला`,
  'connection.replayed': ({ details }) => `${details} का जुड़ाव ख़त्म किया, क्योंकि उसका कोड दो बार आया`,
  'webhook_secret.show': 'वेबहुक सीक्रेट देखा',
  'webhook_secret.rotate': 'वेबहुक सीक्रेट बदला',
  'webhook.resend': 'एक वेबहुक फिर भेजा',
  'webhook.resend_failed': ({ subject }) => `सभी असफल वेबहुक फिर भेजे (${subject})`,
  'webhook.test': ({ details }) => `${details} पर टेस्ट घटना भेजी`,
  'person.look': 'देखा कि एक ग्राहक के बारे में क्या-क्या दर्ज है',
  'person.export': 'एक ग्राहक के बारे में दर्ज जानकारी की प्रति ली',
  'person.erase': ({ subject }) => `एक ग्राहक के निशान मिटाने को कहा: ${subject}`,
  'credit.attach': ({ fact }) => `बताया कि कुछ पैसे ऑर्डर ${fact('order')} के हैं`,
  'mail.read': ({ fact }) =>
    `रुका हुआ मेल पढ़ा: ₹${fact('amount')}${noted(fact('reference'))}, ऑर्डर ${fact('order')} के लिए`,
  'credit.accept': ({ fact }) => `ऑर्डर ${fact('order')} के लिए पैसे स्वीकार किए: ${sums(fact)}`,
  'credit.decline': ({ fact }) => `ऑर्डर ${fact('order')} के लिए पैसे अस्वीकार किए: ${sums(fact)}`,
  'credit.given_back': ({ fact }) =>
    `दर्ज किया कि ₹${fact('amount')} लौटा दिए गए${noted(fact('reference'), fact('note'))}`,
  'oversold.end': ({ details }) => `${details} का एक ज़्यादा बिकना सुलझाया`,
  'statement.compare': ({ fact, subject, bank }) =>
    `${bank(subject)} का स्टेटमेंट मिलाया, ${fact('first')} से ${fact('last')}: ${fact('confirmed')} ऑर्डर पक्के हुए, ${fact('missing')} नहीं मिले`,
  'statement.found': ({ subject }) => `बताया कि ऑर्डर ${subject} के पैसे खाते में हैं, जो स्टेटमेंट में नहीं मिले थे`,
  'evidence.export': ({ subject }) => `ऑर्डर ${subject} के सबूत लिए`,
  'orders.export': ({ details }) => `ऑर्डर CSV में लिए${noted(details)}`,
  'archive.export': ({ subject }) => `${subject} का संग्रह लिया`,
  'register.export': ({ subject }) => `${subject} का रजिस्टर लिया`,
  'statement.look': ({ subject, bank }) => `${bank(subject)} का स्टेटमेंट मिलाया, कुछ दर्ज नहीं किया`,
  'mail.look': 'रोके गए मेल को देखा',
  'keep.choose': ({ subject }) => `चुना कि क्या कब तक रखा जाए${noted(subject)}`,
  'credit.keep': ({ fact }) => `बिना ऑर्डर के ₹${fact('amount')} रख लिए${noted(fact('note'))}`,
  'credit.reopen': ({ fact }) =>
    fact('order') === '' ? 'पैसे के बारे में फ़ैसला वापस लिया' : `ऑर्डर ${fact('order')} के बारे में फ़ैसला वापस लिया`,
  'credit.not_arrived': ({ fact }) => `ऑर्डर ${fact('order')} के पैसे खाते में नहीं मिले, यह दर्ज किया`,
  'order.proof': ({ subject }) => `ऑर्डर ${subject} से ₹1 की जाँच शुरू की`,
  'notice.seen': 'सूचनाएँ देखी हुई मानीं',
  'workshop.look': 'संचालक ने न पढ़ा गया एक मेल देखा',
  'near_misses.choose': ({ subject }) =>
    subject === 'on' ? 'चुना कि मिलते-जुलते भुगतान फ़ैसले के लिए रुकें' : 'चुना कि मिलते-जुलते भुगतान बस सूची में आएँ',
  'fresh_only.choose': ({ subject }) =>
    subject === 'on'
      ? 'चुना कि जो रकम पहले वाला ग्राहक अब भी चुका सकता है, उसके लिए अभी के ग्राहक का ऐप खोलना ज़रूरी हो'
      : 'चुना कि ठीक रकम का भुगतान गिना जाए, वह रकम पहले किसी की भी रही हो',
  'cap_added.choose': ({ subject }) =>
    subject === 'on'
      ? 'चुना कि काउंटर और लिंक पर 99 पैसे तक ही जुड़ें'
      : 'चुना कि काउंटर और लिंक पर 99 पैसे से ज़्यादा भी जुड़ सकें',
  'webhook.events': ({ subject }) =>
    subject === '–' ? 'चुना कि कौन-सी घटनाएँ भेजी जाएँ' : `चुना कि ${subject} पर कौन-सी घटनाएँ भेजी जाएँ`,
};
