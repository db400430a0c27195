import type { Phrase } from './phrase.ts';

/** What happened by itself that the owner is told of: mailboxes, alerts and webhooks. */
export const newsPhrases: readonly Phrase[] = [
  ['Payments are not being confirmed: {1} cannot be read', 'भुगतान की पुष्टि नहीं हो रही: {1} पढ़ा नहीं जा रहा'],
  [
    'Since {1} the mailbox {2} could not be read, so payments are not confirmed.\n\n{3*}\n\nAlerts that arrive meanwhile are not lost: they are read as soon as the mailbox works again.',
    '{1} से मेलबॉक्स {2} पढ़ा नहीं जा सका, इसलिए भुगतान की पुष्टि नहीं हो रही।\n\n{3*}\n\nइस बीच आए अलर्ट खोते नहीं: मेलबॉक्स चलते ही वे पढ़ लिए जाएँगे।',
  ],
  ['{1} is being read again', '{1} फिर पढ़ा जा रहा है'],
  [
    'The mailbox {1} works again. Alerts that arrived meanwhile have been read.',
    'मेलबॉक्स {1} फिर चल रहा है। इस बीच आए अलर्ट पढ़ लिए गए हैं।',
  ],
  [
    'Orders are being created that nobody can confirm: connect a mailbox',
    'ऐसे ऑर्डर बन रहे हैं जिनकी पुष्टि कोई नहीं कर सकता: मेलबॉक्स जोड़ें',
  ],
  [
    'Since {1} your shop creates orders, but no mailbox is connected, so no payment can be confirmed. The payment page does not ask your customers to pay, but to contact you. Connect the mailbox that receives your bank’s alerts, on the Mailbox screen.',
    '{1} से आपकी दुकान ऑर्डर बना रही है, पर कोई मेलबॉक्स जुड़ा नहीं है, इसलिए किसी भुगतान की पुष्टि नहीं हो सकती। भुगतान पेज आपके ग्राहकों से भुगतान नहीं माँगता, आपसे संपर्क करने को कहता है। मेलबॉक्स पेज पर वह मेलबॉक्स जोड़ें जिसमें आपके बैंक के अलर्ट आते हैं।',
  ],
  ['A mail from your bank could not be checked', 'आपके बैंक के एक मेल की जाँच नहीं हो सकी'],
  [
    'A mail that arrived at {1} could not be checked within a day, so it confirms no payment. {2*}',
    '{1} पर आए एक मेल की जाँच एक दिन में नहीं हो सकी, इसलिए उससे किसी भुगतान की पुष्टि नहीं होती। {2*}',
  ],
  ['Your webhooks do not reach {1}', 'आपके वेबहुक {1} तक नहीं पहुँच रहे'],
  [
    'Since {1} no webhook has reached {2} ({3} failed attempts). The last one failed because: {4*}.\n\nPayments are still confirmed and shown on your dashboard. When your server works again, resend the failed events from the webhooks screen.',
    '{1} से {2} तक कोई वेबहुक नहीं पहुँचा ({3} असफल कोशिशें)। पिछली कोशिश का कारण: {4*}।\n\nभुगतान की पुष्टि फिर भी होती है और डैशबोर्ड पर दिखती है। सर्वर चलने लगे तो वेबहुक पेज से असफल घटनाएँ फिर भेजें।',
  ],
  ['Your webhooks reach {1} again', 'आपके वेबहुक {1} तक फिर पहुँच रहे हैं'],
  [
    '{1} took a webhook at {2}, for the first time since {3}. Resend the events that failed meanwhile from the webhooks screen.',
    '{1} ने {2} पर वेबहुक लिया, {3} के बाद पहली बार। इस बीच असफल हुई घटनाएँ वेबहुक पेज से फिर भेजें।',
  ],
  ['A webhook to {1} was given up', '{1} को भेजा जाने वाला एक वेबहुक छोड़ दिया गया'],
  [
    'The event {1} for order {2} could not be delivered to {3} and is not tried any more. The last attempt failed because: {4*}.\n\nThe order itself is paid. You find this event, and any other given up today, on the webhooks screen, where you can resend them.',
    'ऑर्डर {2} की घटना {1} {3} तक नहीं पहुँचाई जा सकी और अब और कोशिश नहीं होगी। पिछली कोशिश का कारण: {4*}।\n\nऑर्डर ख़ुद चुक चुका है। यह घटना, और आज छोड़ी गई बाक़ी घटनाएँ, वेबहुक पेज पर हैं, जहाँ से आप उन्हें फिर भेज सकते हैं।',
  ],
];
