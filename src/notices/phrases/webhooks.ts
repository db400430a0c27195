import type { Phrase } from './phrase.ts';

/** Why a webhook did not arrive, and what is wrong with an address to send one to. */
export const webhookPhrases: readonly Phrase[] = [
  ['answered 410, which asks for no further attempts', 'जवाब 410 मिला, यानी और कोशिश न करें'],
  ['redirected with {1}; redirects are not followed', '{1} से दूसरे पते पर भेजा गया; हम आगे नहीं जाते'],
  ['answered {1}', 'जवाब {1} मिला'],
  [
    'our sender stopped during the attempt, so it is repeated',
    'कोशिश के बीच हमारा भेजने वाला रुक गया, इसलिए वह दोहराई जाएगी',
  ],
  ['timed out after 15 seconds', '15 सेकंड में जवाब नहीं मिला'],
  ['the host resolves to an address that is not public', 'सर्वर का पता सार्वजनिक नहीं है'],
  ['no connection could be made', 'कनेक्शन नहीं बन सका'],
  ['the host name was not found', 'सर्वर का नाम नहीं मिला'],
  ['the name servers of the host did not answer', 'सर्वर के नाम-सर्वर ने जवाब नहीं दिया'],
  ['the TLS handshake failed ({1})', 'TLS कनेक्शन नहीं बना ({1})'],
  ['the headers of the answer were too large', 'जवाब के हेडर बहुत बड़े थे'],
  ['the connection ended without a valid HTTP answer', 'कनेक्शन बिना सही HTTP जवाब के ख़त्म हो गया'],
  [
    'the service could not sign the event; its operator has been told',
    'सेवा घटना पर साइन नहीं कर सकी; संचालक को बता दिया गया है',
  ],

  // A test event.
  ['there is no order yet to take a webhook_url from', 'अभी कोई ऑर्डर नहीं जिससे webhook_url लिया जाए'],
  ['the address {1*}', 'पता ठीक नहीं: {1*}'],
  ['The webhook address {1*}.', 'वेबहुक का पता ठीक नहीं: {1*}।'],
  ['at most {1} tests a minute', 'एक मिनट में ज़्यादा से ज़्यादा {1} टेस्ट'],

  // Addresses in general.
  ['must be at most {1} characters', 'ज़्यादा से ज़्यादा {1} अक्षर हो सकते हैं'],
  [
    'must not contain spaces, control characters or backslashes',
    'इसमें खाली जगह, नियंत्रण अक्षर या बैकस्लैश नहीं हो सकते',
  ],
  ['must be an absolute http:// or https:// URL', 'यह http:// या https:// से शुरू होने वाला पूरा URL होना चाहिए'],
  ['must not contain a username or password', 'इसमें यूज़र नाम या पासवर्ड नहीं हो सकता'],
  ['is not a host name', 'यह किसी सर्वर का नाम नहीं है'],
  ['must not name port 0', 'पोर्ट 0 नहीं हो सकता'],
  ['must name a valid host', 'इसमें किसी सर्वर का सही नाम होना चाहिए'],
  ['must not be a private or reserved address', 'यह निजी या आरक्षित पता नहीं हो सकता'],
  ['must not be localhost or a single-label host', 'यह localhost या बिना बिंदु वाला नाम नहीं हो सकता'],
  ['must not be a name ending in {1}', 'यह {1} पर ख़त्म होने वाला नाम नहीं हो सकता'],

  // Why an order of the first steps could not be created.
  ['Add a UPI ID before you create orders.', 'ऑर्डर बनाने से पहले UPI ID जोड़ें।'],
  [
    "This UPI account is paused: the plan's limit of UPI accounts is reached.",
    'यह UPI खाता रुका हुआ है: प्लान के UPI खातों की सीमा पूरी हो गई है।',
  ],
  ["This month's collections reached the plan's limit.", 'इस महीने की वसूली प्लान की सीमा तक पहुँच गई है।'],
  ['This business is disabled.', 'यह व्यवसाय बंद किया हुआ है।'],
  [
    'Too many open orders share this amount now; retry shortly.',
    'अभी इस रकम के बहुत सारे ऑर्डर खुले हैं; थोड़ी देर में फिर कोशिश करें।',
  ],
  ['The service cannot answer right now; retry shortly.', 'सेवा अभी जवाब नहीं दे सकती; थोड़ी देर में फिर कोशिश करें।'],
];
