import type { Phrase } from './phrase.ts';

/** What somebody did that the owner is told of (accounts/record-deed.ts adds who, when and from where). */
export const deedPhrases: readonly Phrase[] = [
  [
    '{1*}\n\nBy: {2}\nAt: {3}\nFrom: {4*}\n\nIf nobody in your business did this, sign in, end all other sessions under "Your account", change the password, and undo the change.',
    '{1*}\n\nकिसने: {2}\nकब: {3}\nकहाँ से: {4*}\n\nअगर आपके व्यवसाय में किसी ने यह नहीं किया, तो साइन इन करें, “आपका खाता” में बाक़ी सारे सत्र समाप्त करें, पासवर्ड बदलें, और यह बदलाव वापस करें।',
  ],
  ['the command line', 'कमांड लाइन'],

  // Getting in.
  ['A recovery code was used to sign in as {1}', '{1} के रूप में साइन इन के लिए रिकवरी कोड इस्तेमाल हुआ'],
  ['The password of {1} was replaced through a recovery link', '{1} का पासवर्ड रिकवरी लिंक से बदला गया'],
  ['The password of {1} was changed', '{1} का पासवर्ड बदला गया'],
  ['A passkey was added for {1}', '{1} के लिए पासकी जोड़ी गई'],
  ['A passkey of {1} was removed', '{1} की एक पासकी हटाई गई'],
  ['Two-step sign-in was switched on for {1}', '{1} के लिए दो-चरणीय साइन इन चालू हुआ'],
  ['Two-step sign-in was switched off for {1}', '{1} के लिए दो-चरणीय साइन इन बंद हुआ'],
  ['New recovery codes were made for {1}', '{1} के लिए नए रिकवरी कोड बने'],
  ['The operator switched the two-step sign-in of {1} off', 'संचालक ने {1} का दो-चरणीय साइन इन बंद किया'],

  // The team.
  ['{1} joined the team as {2*}', '{1} टीम में {2*} के रूप में जुड़े'],
  ['{1} was invited to the team as {2*}', '{1} को टीम में {2*} के रूप में बुलाया गया'],
  ['The role of {1} was changed from {2*} to {3*}', '{1} की भूमिका {2*} से बदलकर {3*} हुई'],
  ['{1} was removed from the team', '{1} को टीम से हटाया गया'],
  ['owner', 'मालिक'],
  ['manager', 'प्रबंधक'],
  ['support', 'सहायता'],
  ['developer', 'डेवलपर'],
  ['auditor', 'लेखा परीक्षक'],

  // The business.
  ['The operator of this service disabled your business', 'इस सेवा के संचालक ने आपका व्यवसाय बंद किया'],
  ['The operator of this service enabled your business again', 'इस सेवा के संचालक ने आपका व्यवसाय फिर चालू किया'],
  ['Your business is now on plan {1}', 'आपका व्यवसाय अब {1} प्लान पर है'],
  ['The operator changed this business: it is now {1*}', 'संचालक ने इस व्यवसाय में बदलाव किया; अब स्थिति: {1*}'],
  ['disabled', 'बंद'],
  ['enabled', 'चालू'],
  ['on plan {1}', 'प्लान {1}'],
  ['The name of the business was changed from {1} to {2}', 'व्यवसाय का नाम {1} से बदलकर {2} हुआ'],
  [
    'The business will be deleted in seven days; an owner can cancel that in the settings until then',
    'व्यवसाय सात दिन में मिटा दिया जाएगा; तब तक कोई मालिक सेटिंग में इसे रोक सकता है',
  ],
  [
    'The deletion of the business was cancelled; connect the mailbox again',
    'व्यवसाय का मिटाया जाना रोक दिया गया; मेलबॉक्स फिर से जोड़ें',
  ],

  // Money and mail.
  ['The UPI account {1} was added', 'UPI खाता {1} जोड़ा गया'],
  ['{1} is now the default UPI account', '{1} अब मुख्य UPI खाता है'],
  ['The UPI account {1} was removed', 'UPI खाता {1} हटाया गया'],
  ['The mailbox {1} was connected', 'मेलबॉक्स {1} जोड़ा गया'],
  [
    'The mailbox {1} was disconnected: no new order can be paid until one is connected',
    'मेलबॉक्स {1} हटाया गया: जब तक कोई जुड़ा न हो, कोई नया ऑर्डर चुकाया नहीं जा सकता',
  ],
  [
    'The extra alert address {1} was added, and waits for its code',
    'अलर्ट का और पता {1} जोड़ा गया, कोड का इंतज़ार है',
  ],
  ['Alerts addressed to {1} now count', '{1} पर भेजे अलर्ट अब गिने जाते हैं'],
  ['The extra alert address {1} was removed', 'अलर्ट का और पता {1} हटाया गया'],

  // Keys.
  ['The API key "{1}" was created', 'API कुंजी “{1}” बनाई गई'],
  ['The API key "{1}" was revoked', 'API कुंजी “{1}” रद्द की गई'],
  ['The webhook secret was replaced', 'वेबहुक सीक्रेट बदला गया'],
];
