import type { ProviderId } from '../../../mailboxes/providers.ts';
import type { BothLanguages } from '../in-language.ts';

type MailboxTexts = {
  title: string;
  text: string;
  state: string;
  seeing: string;
  starting: string;
  blind: string;
  needsLogin: string;
  seeingText: string;
  startingText: string;
  blindText: string;
  needsLoginText: string;
  address: string;
  provider: string;
  lastLook: string;
  lastAlert: string;
  lag: string;
  lagText: string;
  error: string;
  never: string;
  disconnect: string;
  disconnectTitle: (address: string) => string;
  disconnectConsequences: readonly string[];
  disconnected: string;
  /** Links are open: it is read until they are over. */
  disconnecting: string;
  ending: string;
  endingText: string;
  readUntil: string;
  /** Under the form that changes a connection. */
  replaceText: string;
  connect: string;
  change: string;
  connectText: string;
  addressHint: string;
  password: string;
  passwordHint: string;
  hints: Record<ProviderId, string>;
  username: string;
  usernameHint: string;
  host: string;
  hostHint: string;
  port: string;
  folders: string;
  foldersHint: string;
  more: string;
  submit: string;
  test: string;
  tested: (folders: string) => string;
  connected: string;
  signIn: (provider: string) => string;
  signInText: (provider: string) => string;
  signInMissing: (provider: string) => string;
  goOn: (provider: string) => string;
  signInTitle: string;
  signInFailed: string;
  extra: string;
  extraText: string;
  extraEmptyTitle: string;
  extraEmptyText: string;
  extraAdd: string;
  extraLabel: string;
  extraSubmit: string;
  confirmed: string;
  waiting: string;
  code: string;
  codeHint: string;
  confirmCode: string;
  codeSent: (address: string) => string;
  alreadyConfirmed: (address: string) => string;
  codeConfirmed: (address: string) => string;
  wrongCode: string;
  taken: string;
  remove: string;
  removeTitle: (address: string) => string;
  removeConsequences: readonly string[];
  removed: (address: string) => string;
  actions: string;
};

export const mailboxTexts: BothLanguages<MailboxTexts> = {
  en: {
    title: 'Mailbox',
    text: 'Where your bank’s alerts arrive. We read bank mails only, and change nothing in it.',
    state: 'State',
    seeing: 'Being read',
    starting: 'Starting',
    blind: 'Out of reach',
    needsLogin: 'Password refused',
    seeingText: 'Everything works: a new alert is noticed within seconds.',
    startingText: 'The mailbox was connected a moment ago and is being read for the first time.',
    blindText:
      'We cannot read the mailbox now. We keep trying; alerts that arrive meanwhile are found afterwards.',
    needsLoginText: 'The mail server no longer takes the password. Enter a new one below.',
    address: 'Address',
    provider: 'Provider',
    lastLook: 'Last looked',
    lastAlert: 'Last bank alert',
    lag: 'Noticed after',
    lagText: 'from its arrival at the mail server',
    error: 'What went wrong',
    never: 'none yet',
    disconnect: 'Disconnect',
    disconnectTitle: address => `Disconnect ${address}?`,
    disconnectConsequences: [
      'From this moment new orders cannot be paid: the payment page asks your customers to contact you.',
      'While a payment link is open, its payment is still confirmed: the mailbox is read until the last one is over, for seventeen minutes at most, and then the password is wiped. Without open links that happens at once.',
      'Alerts and orders that are stored already stay.',
      'The owner of the business is told.',
    ],
    disconnected: 'The mailbox was disconnected and its password wiped.',
    disconnecting:
      'The mailbox is being disconnected: it is read until the last open payment link is over, and then its password is wiped.',
    ending: 'Being disconnected',
    endingText:
      'It is read for the payment links that were open, and then its password is wiped. New orders cannot be paid. To keep it, connect it again below.',
    readUntil: 'Read until',
    replaceText:
      'Connecting another address ends the reading of this one at once: payments of links that are open now are then looked for in the new mailbox alone.',
    connect: 'Connect a mailbox',
    change: 'Change the connection',
    connectText: 'The connection is tried first, and kept only when it works.',
    addressHint: 'The address to which your bank sends its alerts.',
    password: 'Password',
    passwordHint: 'Kept encrypted. Most providers want an app password here, not the usual one.',
    hints: {
      gmail: 'Gmail takes an app password: Google account, Security, App passwords.',
      outlook: 'Outlook takes no passwords: use the button “Sign in with Microsoft”.',
      zoho: 'Zoho takes an application-specific password when two-factor sign-in is on.',
      yahoo: 'Yahoo takes an app password: Account security, Generate app password.',
      other: 'Name the server under “More settings”.',
    },
    username: 'User name',
    usernameHint: 'Only where it differs from the address.',
    host: 'Mail server (IMAP)',
    hostHint: 'For “Another mail server” only, such as imap.example.in.',
    port: 'Port',
    folders: 'Further folders',
    foldersHint: 'INBOX and Junk are always read. Separate names by commas.',
    more: 'More settings',
    submit: 'Connect',
    test: 'Only test the connection',
    tested: folders => `The connection works. These folders would be read: ${folders}.`,
    connected: 'The mailbox is connected and is being read from now on.',
    signIn: provider => `Sign in with ${provider}`,
    signInText: provider =>
      `No password is stored: ${provider} gives us a permission that you can take back there at any time.`,
    signInMissing: provider =>
      `Signing in with ${provider} is not set up on this installation; its operator can do that.`,
    goOn: provider => `Go on to ${provider}`,
    signInTitle: 'Sign in with your mail provider',
    signInFailed: 'Signing in with the mail provider did not work. Start again from the Mailbox screen.',
    extra: 'Extra alert addresses',
    extraText:
      'Does your bank send alerts to another address, which forwards to this mailbox? List it here. It counts once you prove that it is yours.',
    extraEmptyTitle: 'No extra address',
    extraEmptyText:
      'Only alerts that the bank addresses to the mailbox itself count. That is enough for most shops.',
    extraAdd: 'Add an address',
    extraLabel: 'Address the bank writes to',
    extraSubmit: 'Send a code to it',
    confirmed: 'Counts',
    waiting: 'Waiting for its code',
    code: 'Code from the mail',
    codeHint: 'Eight digits. If the address forwards to your mailbox, the code is found by itself.',
    confirmCode: 'Confirm',
    codeSent: address => `A code was sent to ${address}.`,
    alreadyConfirmed: address => `${address} counts already.`,
    codeConfirmed: address => `${address} is confirmed: alerts addressed to it count from now on.`,
    wrongCode: 'This code is not right, or it has expired.',
    taken: 'Another business on this installation reads this address already.',
    remove: 'Remove',
    removeTitle: address => `Remove ${address}?`,
    removeConsequences: [
      'Alerts that the bank addresses to it no longer confirm payments.',
      'The owner of the business is told.',
    ],
    removed: address => `${address} was removed.`,
    actions: 'Actions',
  },
  hi: {
    title: 'मेलबॉक्स',
    text: 'आपके बैंक के अलर्ट यहाँ आते हैं। हम सिर्फ़ बैंक के मेल पढ़ते हैं, और कुछ नहीं बदलते।',
    state: 'स्थिति',
    seeing: 'पढ़ा जा रहा है',
    starting: 'शुरू हो रहा है',
    blind: 'पहुँच से बाहर',
    needsLogin: 'पासवर्ड नहीं माना गया',
    seeingText: 'सब ठीक है: नया अलर्ट कुछ सेकंड में दिख जाता है।',
    startingText: 'मेलबॉक्स अभी जोड़ा गया है और पहली बार पढ़ा जा रहा है।',
    blindText: 'हम अभी मेलबॉक्स नहीं पढ़ पा रहे। हम कोशिश करते रहेंगे; इस बीच आए अलर्ट बाद में मिल जाएँगे।',
    needsLoginText: 'मेल सर्वर अब पासवर्ड नहीं मानता। नीचे नया लिखें।',
    address: 'पता',
    provider: 'मेल सेवा',
    lastLook: 'पिछली बार देखा',
    lastAlert: 'पिछला बैंक अलर्ट',
    lag: 'कितनी देर में दिखा',
    lagText: 'मेल सर्वर पर पहुँचने के बाद',
    error: 'क्या गड़बड़ हुई',
    never: 'अभी कोई नहीं',
    disconnect: 'हटाएँ',
    disconnectTitle: address => `${address} हटाएँ?`,
    disconnectConsequences: [
      'इसी पल से नए ऑर्डर चुकाए नहीं जा सकेंगे: भुगतान पेज ग्राहकों को आपसे संपर्क करने को कहेगा।',
      'जब तक कोई भुगतान लिंक खुला है, उसके भुगतान की पुष्टि होगी: मेलबॉक्स आख़िरी लिंक के पूरा होने तक, ज़्यादा से ज़्यादा सत्रह मिनट, पढ़ा जाएगा, फिर पासवर्ड मिटाया जाएगा। खुले लिंक न हों तो यह तुरंत होगा।',
      'पहले से रखे अलर्ट और ऑर्डर बने रहेंगे।',
      'व्यवसाय के मालिक को बताया जाएगा।',
    ],
    disconnected: 'मेलबॉक्स हटाया गया और पासवर्ड मिटा दिया गया।',
    disconnecting:
      'मेलबॉक्स हटाया जा रहा है: आख़िरी खुले भुगतान लिंक के पूरा होने तक वह पढ़ा जाएगा, फिर उसका पासवर्ड मिटाया जाएगा।',
    ending: 'हटाया जा रहा है',
    endingText:
      'जो भुगतान लिंक खुले थे, उनके लिए यह पढ़ा जा रहा है, फिर इसका पासवर्ड मिटाया जाएगा। नए ऑर्डर चुकाए नहीं जा सकते। रखना हो तो नीचे फिर से जोड़ें।',
    readUntil: 'इस समय तक पढ़ा जाएगा',
    replaceText:
      'दूसरा पता जोड़ते ही यह मेलबॉक्स पढ़ना बंद हो जाएगा: अभी खुले लिंकों के भुगतान तब सिर्फ़ नए मेलबॉक्स में खोजे जाएँगे।',
    connect: 'मेलबॉक्स जोड़ें',
    change: 'जोड़ बदलें',
    connectText: 'पहले जोड़ की जाँच होती है; चलने पर ही रखा जाता है।',
    addressHint: 'वह पता जिस पर आपका बैंक अलर्ट भेजता है।',
    password: 'पासवर्ड',
    passwordHint: 'एन्क्रिप्ट करके रखा जाता है। ज़्यादातर सेवाएँ यहाँ ऐप पासवर्ड चाहती हैं, आम पासवर्ड नहीं।',
    hints: {
      gmail: 'Gmail ऐप पासवर्ड लेता है: Google खाता, सुरक्षा, ऐप पासवर्ड।',
      outlook: 'Outlook पासवर्ड नहीं लेता: “Microsoft से साइन इन करें” बटन दबाएँ।',
      zoho: 'दो-चरण साइन-इन चालू हो तो Zoho अलग ऐप पासवर्ड लेता है।',
      yahoo: 'Yahoo ऐप पासवर्ड लेता है: खाता सुरक्षा, ऐप पासवर्ड बनाएँ।',
      other: '“और सेटिंग” में सर्वर का नाम लिखें।',
    },
    username: 'यूज़र नाम',
    usernameHint: 'सिर्फ़ तब जब वह पते से अलग हो।',
    host: 'मेल सर्वर (IMAP)',
    hostHint: 'सिर्फ़ “दूसरा मेल सर्वर” के लिए, जैसे imap.example.in।',
    port: 'पोर्ट',
    folders: 'और फ़ोल्डर',
    foldersHint: 'INBOX और Junk हमेशा पढ़े जाते हैं। नाम अल्पविराम से अलग करें।',
    more: 'और सेटिंग',
    submit: 'जोड़ें',
    test: 'सिर्फ़ जाँचें',
    tested: folders => `जोड़ काम करता है। ये फ़ोल्डर पढ़े जाएँगे: ${folders}।`,
    connected: 'मेलबॉक्स जुड़ गया और अब से पढ़ा जा रहा है।',
    signIn: provider => `${provider} से साइन इन करें`,
    signInText: provider =>
      `कोई पासवर्ड नहीं रखा जाता: ${provider} हमें अनुमति देता है, जिसे आप वहाँ कभी भी वापस ले सकते हैं।`,
    signInMissing: provider => `यहाँ ${provider} से साइन इन चालू नहीं है; संचालक इसे चालू कर सकता है।`,
    goOn: provider => `${provider} पर जाएँ`,
    signInTitle: 'अपनी मेल सेवा से साइन इन करें',
    signInFailed: 'मेल सेवा से साइन इन नहीं हुआ। मेलबॉक्स पेज से फिर शुरू करें।',
    extra: 'अलर्ट के और पते',
    extraText:
      'क्या बैंक किसी और पते पर अलर्ट भेजता है जो यहाँ आगे भेजता है? उसे यहाँ लिखें। साबित होने पर ही गिना जाएगा कि वह आपका है।',
    extraEmptyTitle: 'कोई और पता नहीं',
    extraEmptyText: 'सिर्फ़ वही अलर्ट गिने जाते हैं जो बैंक इस मेलबॉक्स को भेजता है। ज़्यादातर दुकानों के लिए यह काफ़ी है।',
    extraAdd: 'पता जोड़ें',
    extraLabel: 'जिस पते पर बैंक लिखता है',
    extraSubmit: 'उस पर कोड भेजें',
    confirmed: 'गिना जाता है',
    waiting: 'कोड का इंतज़ार',
    code: 'मेल में आया कोड',
    codeHint: 'आठ अंक। अगर पता आपके मेलबॉक्स में आगे भेजता है, तो कोड अपने-आप मिल जाता है।',
    confirmCode: 'पुष्टि करें',
    codeSent: address => `${address} पर कोड भेजा गया।`,
    alreadyConfirmed: address => `${address} पहले से गिना जाता है।`,
    codeConfirmed: address => `${address} की पुष्टि हुई: उस पर आए अलर्ट अब से गिने जाएँगे।`,
    wrongCode: 'यह कोड सही नहीं है, या उसका समय निकल गया।',
    taken: 'यहाँ का कोई और व्यवसाय यह पता पहले से पढ़ता है।',
    remove: 'हटाएँ',
    removeTitle: address => `${address} हटाएँ?`,
    removeConsequences: ['बैंक के इस पते पर भेजे अलर्ट से भुगतान की पुष्टि नहीं होगी।', 'व्यवसाय के मालिक को बताया जाएगा।'],
    removed: address => `${address} हटाया गया।`,
    actions: 'कार्य',
  },
};
