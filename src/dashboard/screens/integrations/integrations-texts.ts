import type { BothLanguages } from '../in-language.ts';

type IntegrationsTexts = {
  title: string;
  text: string;
  keys: string;
  keysText: string;
  name: string;
  nameHint: string;
  nameFault: string;
  tooMany: (most: number) => string;
  create: string;
  created: string;
  lastUsed: string;
  never: string;
  revoke: string;
  revoked: string;
  working: string;
  state: string;
  action: string;
  keysEmptyTitle: string;
  keysEmptyText: string;
  newKey: (name: string) => string;
  newKeyOnce: string;
  newKeyKept: string;
  revokeTitle: (name: string) => string;
  revokeConsequences: readonly string[];
  revokedFlash: (name: string) => string;
  secret: string;
  secretText: string;
  show: string;
  rotate: string;
  rotateTitle: string;
  rotateConsequences: readonly string[];
  rotateAgain: string;
  oldSigns: string;
  rotatedFlash: string;
  secretTitle: string;
  secretOnly: string;
  webhookLog: string;
  webhookLogText: string;
  toWebhooks: string;
  code: string;
  codeText: string;
  baseUrl: string;
  widget: string;
  widgetText: string;
  preview: string;
  previewText: string;
  showPreview: string;
  reference: string;
};

export const integrationsTexts: BothLanguages<IntegrationsTexts> = {
  en: {
    title: 'Integrations',
    text: 'What your shop’s server needs to create orders and to hear about payments.',
    keys: 'API keys',
    keysText:
      'Sent by your server in the X-API-Key header. A key belongs on a server, never in a browser or an app.',
    name: 'Name of the key',
    nameHint: 'Where it is used, such as “web shop”.',
    nameFault: 'Enter a name of at most 60 characters.',
    tooMany: most => `At most ${most} keys can work at once: revoke one first.`,
    create: 'Create a key',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    revoke: 'Revoke',
    revoked: 'Revoked',
    working: 'Working',
    state: 'State',
    action: 'Action',
    keysEmptyTitle: 'No key yet',
    keysEmptyText: 'Create one for your shop’s server. It is shown once.',
    newKey: name => `Your new key “${name}”`,
    newKeyOnce:
      'This is the only time it is shown. Copy it to your server now; we keep only a fingerprint of it.',
    newKeyKept: 'I have copied it',
    revokeTitle: name => `Revoke the key “${name}”?`,
    revokeConsequences: [
      'From this moment the API answers every request with this key with 401 invalid_api_key.',
      'A shop that still uses it cannot create orders any more.',
      'It cannot be undone; a new key can be created at any time.',
      'The owner of the business is told.',
    ],
    revokedFlash: name => `The key “${name}” was revoked.`,
    secret: 'Webhook secret',
    secretText: 'Your server uses it to verify that a webhook comes from us. Keep it on the server only.',
    show: 'Show the secret',
    rotate: 'Replace the secret',
    rotateTitle: 'Replace the webhook secret?',
    rotateConsequences: [
      'Webhooks are signed with the new secret at once.',
      'For 24 hours they carry a signature of the old secret too, so that your server can change over in peace.',
      'After that, a server that knows only the old secret refuses every webhook.',
      'The owner of the business is told.',
    ],
    rotateAgain:
      'It was replaced less than 24 hours ago. The secret before that one stops signing at once: a server that still uses it refuses every webhook.',
    oldSigns: 'The old secret signs beside it until',
    rotatedFlash: 'The webhook secret was replaced.',
    secretTitle: 'Your webhook secret',
    secretOnly: 'Whoever has it can make webhooks that your server believes.',
    webhookLog: 'Webhook log',
    webhookLogText: 'Every attempt with its answer, resends and test events.',
    toWebhooks: 'Open the webhooks',
    code: 'Code to copy',
    codeText: 'Each creates an order of ₹499. Put your key in the place of YOUR_API_KEY.',
    baseUrl: 'Address of the service',
    widget: 'The widget',
    widgetText: 'Shows the payment inside your own checkout page. It asks your server to create the order.',
    preview: 'Live preview',
    previewText: 'This is the real widget with made-up answers: it creates no order and nothing can be paid.',
    showPreview: 'Show the preview',
    reference: 'API description (OpenAPI)',
  },
  hi: {
    title: 'इंटीग्रेशन',
    text: 'आपकी दुकान के सर्वर को ऑर्डर बनाने और भुगतान की ख़बर पाने के लिए जो चाहिए।',
    keys: 'API कुंजियाँ',
    keysText: 'आपका सर्वर इसे X-API-Key हेडर में भेजता है। कुंजी सर्वर पर रहे, ब्राउज़र या ऐप में कभी नहीं।',
    name: 'कुंजी का नाम',
    nameHint: 'कहाँ इस्तेमाल होती है, जैसे “वेब दुकान”।',
    nameFault: 'नाम लिखें, अधिक से अधिक 60 अक्षर।',
    tooMany: most => `एक साथ अधिक से अधिक ${most} कुंजियाँ चल सकती हैं: पहले एक रद्द करें।`,
    create: 'कुंजी बनाएँ',
    created: 'बनी',
    lastUsed: 'पिछला इस्तेमाल',
    never: 'कभी नहीं',
    revoke: 'रद्द करें',
    revoked: 'रद्द',
    working: 'चालू',
    state: 'स्थिति',
    action: 'कार्य',
    keysEmptyTitle: 'अभी कोई कुंजी नहीं',
    keysEmptyText: 'अपनी दुकान के सर्वर के लिए एक बनाएँ। वह एक ही बार दिखाई जाती है।',
    newKey: name => `आपकी नई कुंजी “${name}”`,
    newKeyOnce: 'यह सिर्फ़ अभी दिखाई जा रही है। इसे अभी अपने सर्वर पर रखें; हम सिर्फ़ इसकी छाप रखते हैं।',
    newKeyKept: 'मैंने इसे रख लिया',
    revokeTitle: name => `कुंजी “${name}” रद्द करें?`,
    revokeConsequences: [
      'इसी पल से इस कुंजी के हर अनुरोध पर API 401 invalid_api_key जवाब देगा।',
      'जो दुकान इसे इस्तेमाल करती है, वह ऑर्डर नहीं बना पाएगी।',
      'यह वापस नहीं हो सकता; नई कुंजी कभी भी बन सकती है।',
      'व्यवसाय के मालिक को बताया जाएगा।',
    ],
    revokedFlash: name => `कुंजी “${name}” रद्द की गई।`,
    secret: 'वेबहुक सीक्रेट',
    secretText: 'आपका सर्वर इससे जाँचता है कि वेबहुक हमसे आया है। इसे सिर्फ़ सर्वर पर रखें।',
    show: 'सीक्रेट दिखाएँ',
    rotate: 'सीक्रेट बदलें',
    rotateTitle: 'वेबहुक सीक्रेट बदलें?',
    rotateConsequences: [
      'वेबहुक तुरंत नए सीक्रेट से साइन होंगे।',
      '24 घंटे तक पुराने सीक्रेट का साइन भी साथ रहेगा, ताकि आपका सर्वर आराम से बदल सके।',
      'उसके बाद जो सर्वर सिर्फ़ पुराना जानता है, वह हर वेबहुक नकारेगा।',
      'व्यवसाय के मालिक को बताया जाएगा।',
    ],
    rotateAgain:
      'इसे 24 घंटे के भीतर ही बदला गया था। उससे पहले वाला सीक्रेट तुरंत साइन करना बंद कर देगा: जो सर्वर अब भी उसे इस्तेमाल करता है, वह हर वेबहुक नकारेगा।',
    oldSigns: 'पुराना सीक्रेट साथ में साइन करता है, कब तक:',
    rotatedFlash: 'वेबहुक सीक्रेट बदल दिया गया।',
    secretTitle: 'आपका वेबहुक सीक्रेट',
    secretOnly: 'जिसके पास यह है, वह ऐसे वेबहुक बना सकता है जिन पर आपका सर्वर भरोसा करेगा।',
    webhookLog: 'वेबहुक लॉग',
    webhookLogText: 'हर कोशिश और उसका जवाब, फिर भेजना और टेस्ट घटनाएँ।',
    toWebhooks: 'वेबहुक खोलें',
    code: 'कॉपी करने का कोड',
    codeText: 'हर एक ₹499 का ऑर्डर बनाता है। YOUR_API_KEY की जगह अपनी कुंजी रखें।',
    baseUrl: 'सेवा का पता',
    widget: 'विजेट',
    widgetText: 'आपके अपने चेकआउट पेज में भुगतान दिखाता है। वह आपके सर्वर से ऑर्डर बनवाता है।',
    preview: 'जीवंत झलक',
    previewText: 'यह असली विजेट है, जवाब बनावटी हैं: न ऑर्डर बनता है, न कुछ चुकाया जा सकता है।',
    showPreview: 'झलक दिखाएँ',
    reference: 'API का विवरण (OpenAPI)',
  },
};
