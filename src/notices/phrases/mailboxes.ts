import type { Phrase } from './phrase.ts';

/** What is wrong with a mailbox, its settings or an extra alert address. A server's own words are quoted. */
export const mailboxPhrases: readonly Phrase[] = [
  // The connection.
  ['The mail server was not found: check its name.', 'मेल सर्वर नहीं मिला: उसका नाम जाँचें।'],
  ['The name of the mail server could not be looked up for now.', 'मेल सर्वर का नाम अभी खोजा नहीं जा सका।'],
  ['The mail server must have a public address.', 'मेल सर्वर का पता सार्वजनिक होना चाहिए।'],
  [
    "The mail server's certificate cannot be trusted ({1}): check the server's name.",
    'मेल सर्वर के प्रमाणपत्र पर भरोसा नहीं किया जा सकता ({1}): सर्वर का नाम जाँचें।',
  ],
  ['The mail server sent more than it was asked for.', 'मेल सर्वर ने माँगे से ज़्यादा भेजा।'],
  ['The mail server asks for patience: {1}', 'मेल सर्वर रुकने को कहता है: “{1}”'],
  ['The mail server said: {1}', 'मेल सर्वर ने कहा: “{1}”'],
  ['The mail server broke off.', 'मेल सर्वर ने बीच में ही बात तोड़ दी।'],
  [
    'The mail server does not answer as an IMAP server with TLS: check its name and port.',
    'मेल सर्वर TLS वाले IMAP सर्वर की तरह जवाब नहीं देता: उसका नाम और पोर्ट जाँचें।',
  ],
  [
    'IMAP is switched off for this mailbox. The server said: {1}',
    'इस मेलबॉक्स के लिए IMAP बंद है। सर्वर ने कहा: “{1}”',
  ],
  ['The mail server does not take logins for now: {1}', 'मेल सर्वर अभी साइन इन नहीं करने देता: “{1}”'],
  [
    'The mail server refused the login. {1*} The server said: {2}',
    'मेल सर्वर ने साइन इन नहीं माना। {1*} सर्वर ने कहा: “{2}”',
  ],
  ['The mail server refused the login. {1*}', 'मेल सर्वर ने साइन इन नहीं माना। {1*}'],
  [
    'Gmail takes an app password (Google account, Security, App passwords), not the usual password.',
    'Gmail आम पासवर्ड नहीं, ऐप पासवर्ड लेता है (Google account, Security, App passwords)।',
  ],
  [
    'Outlook takes no passwords over IMAP: sign in with Microsoft instead.',
    'Outlook IMAP पर पासवर्ड नहीं लेता: Microsoft से साइन इन करें।',
  ],
  [
    'Zoho takes an application-specific password when two-factor sign-in is on.',
    'दो-चरणीय साइन इन चालू होने पर Zoho ऐप के लिए अलग पासवर्ड लेता है।',
  ],
  [
    'Yahoo takes an app password (Account security, Generate app password), not the usual password.',
    'Yahoo आम पासवर्ड नहीं, ऐप पासवर्ड लेता है (Account security, Generate app password)।',
  ],
  [
    'Check the user name and the password, and whether the server wants an app password.',
    'यूज़र नाम और पासवर्ड जाँचें, और यह भी कि सर्वर ऐप पासवर्ड तो नहीं माँगता।',
  ],
  [
    'The mail server does not number its mails (no UIDVALIDITY).',
    'मेल सर्वर अपने मेलों को संख्या नहीं देता (UIDVALIDITY नहीं है)।',
  ],
  ['The mail server refused a search.', 'मेल सर्वर ने एक खोज से इनकार किया।'],
  ['The mail server closed the folder {1}.', 'मेल सर्वर ने फ़ोल्डर {1} बंद कर दिया।'],
  ['The mail server does not answer.', 'मेल सर्वर जवाब नहीं देता।'],

  // Signing in with the provider.
  ['The sign-in service of the mail provider does not answer.', 'मेल सेवा की साइन इन सेवा जवाब नहीं देती।'],
  [
    'The permission to read this mailbox has ended: sign in with the provider again.',
    'इस मेलबॉक्स को पढ़ने की अनुमति ख़त्म हो गई: मेल सेवा से फिर साइन इन करें।',
  ],
  [
    'The mail provider does not know this installation: tell its operator.',
    'मेल सेवा इस इंस्टॉलेशन को नहीं जानती: इसके संचालक को बताएँ।',
  ],
  ['The sign-in service of the mail provider answered {1}.', 'मेल सेवा की साइन इन सेवा का जवाब: “{1}”।'],
  [
    'The mail provider gave no lasting permission: remove the old one there and sign in again.',
    'मेल सेवा ने टिकने वाली अनुमति नहीं दी: वहाँ पुरानी अनुमति हटाकर फिर साइन इन करें।',
  ],
  ['Signing in with {1} is not set up on this installation.', 'इस इंस्टॉलेशन पर {1} से साइन इन चालू नहीं है।'],

  // What was typed.
  ['Another mail server', 'कोई और मेल सर्वर'],
  ['Choose the mail provider.', 'मेल सेवा चुनें।'],
  ['This is not a mail address.', 'यह मेल पता नहीं है।'],
  ['This is not a user name.', 'यह यूज़र नाम नहीं है।'],
  ['The port must be from 1 to 65535.', 'पोर्ट 1 से 65535 तक होना चाहिए।'],
  ['The name of the mail server {1*}.', 'मेल सर्वर का नाम ठीक नहीं: {1*}।'],
  ['At most {1} further folders.', 'ज़्यादा से ज़्यादा {1} और फ़ोल्डर।'],
  ['This is not the name of a folder.', 'यह किसी फ़ोल्डर का नाम नहीं है।'],
  ['Sign in with the mail provider.', 'मेल सेवा से साइन इन करें।'],
  ['Type the password.', 'पासवर्ड लिखें।'],
  ['The password contains a line break.', 'पासवर्ड में पंक्ति का अंत है।'],
  ['The mailbox has no folder named {1}.', 'मेलबॉक्स में {1} नाम का फ़ोल्डर नहीं है।'],
  [
    'Another business on this installation reads this address already.',
    'यहाँ का कोई और व्यवसाय यह पता पहले से पढ़ता है।',
  ],
  [
    'This installation sends no mail, so an extra address cannot be confirmed.',
    'यह इंस्टॉलेशन मेल नहीं भेजता, इसलिए और पते की पुष्टि नहीं हो सकती।',
  ],
  ['At most {1} extra addresses.', 'ज़्यादा से ज़्यादा {1} और पते।'],
  [
    '{1} codes were sent to this address within a day; try again tomorrow.',
    'इस पते पर एक दिन में {1} कोड भेजे जा चुके हैं; कल फिर कोशिश करें।',
  ],
  [
    'The mail with the code could not be sent; try again later.',
    'कोड वाला मेल नहीं भेजा जा सका; बाद में फिर कोशिश करें।',
  ],

  ['This business is about to be deleted.', 'यह व्यवसाय जल्द ही मिटाया जाने वाला है।'],

  // The mail with the code of an extra address.
  ['Code: {1}', 'कोड (Code): {1}'],
  [
    'A shop wants the payment alerts that its bank sends to this address to count as its own.',
    'एक दुकान चाहती है कि उसका बैंक इस पते पर जो भुगतान अलर्ट भेजता है, वे उसके अपने गिने जाएँ।',
  ],
  [
    'If alerts to this address are forwarded to the shop, nothing needs to be done: the code arrives with them.',
    'अगर इस पते के अलर्ट दुकान को आगे भेजे जाते हैं, तो कुछ नहीं करना है: कोड उन्हीं के साथ पहुँच जाता है।',
  ],
  [
    'If you did not expect this mail, ignore it. Never pass the code on to a stranger.',
    'अगर आपको इस मेल की उम्मीद नहीं थी, तो इसे अनदेखा करें। कोड किसी अनजान को कभी न दें।',
  ],
];
