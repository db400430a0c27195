import type { ProofGate } from '../../proof-checks.ts';
import type { BothLanguages } from '../in-language.ts';

type FirstStepsTexts = {
  title: string;
  text: string;
  done: string;
  open: string;
  failed: string;
  name: string;
  nameText: (name: string) => string;
  changeName: string;
  account: string;
  accountTodo: string;
  accountDone: (vpa: string) => string;
  accountAt: (bank: string, digits: string | null) => string;
  noBank: string;
  noDigits: string;
  nameBank: string;
  addAccount: string;
  mailbox: string;
  mailboxTodo: string;
  mailboxDone: (address: string) => string;
  connect: string;
  see: string;
  bank: string;
  bankText: string;
  chooseBank: string;
  choose: string;
  bankSteps: (address: string) => readonly string[];
  callsIt: (name: string) => string;
  senders: string;
  subjects: string;
  noUpi: (bank: string) => string;
  unconfirmed: (bank: string) => string;
  bankSeen: (bank: string) => string;
  notListed: string;
  fewDigits: (bank: string, count: number) => string;
  secretOffer: string;
  secretSubmit: string;
  secretWaiting: (address: string) => string;
  secretReady: (address: string) => string;
  secretNeedsMailbox: string;
  proof: string;
  proofText: string;
  whyOther: string;
  webhook: string;
  webhookHint: string;
  start: string;
  again: string;
  needFirst: string;
  payExactly: (amount: string) => string;
  scan: string;
  qr: (amount: string) => string;
  openPage: string;
  until: string;
  over: string;
  checks: string;
  gates: Record<ProofGate, string>;
  waitingFor: Record<ProofGate, string>;
  wrongRecord: (told: string, recorded: string) => string;
  correct: (account: string) => string;
  webhookSent: string;
  proven: string;
  provenText: string;
  toIntegrations: string;
  thanks: string;
  thanksText: string;
};

export const firstStepsTexts: BothLanguages<FirstStepsTexts> = {
  en: {
    title: 'First steps',
    text: 'Five steps, and the last one is a proof: one rupee, really paid and really confirmed.',
    done: 'Done',
    open: 'To do',
    failed: 'Failed',
    name: 'Your business',
    nameText: name => `Customers read “${name}” on the payment page.`,
    changeName: 'Change it in the settings',
    account: 'Your UPI account',
    accountTodo:
      'Add the UPI ID that receives the money, the name that UPI apps show, its bank, and the last digits of the bank account.',
    accountDone: vpa => `Customers pay to ${vpa}.`,
    accountAt: (bank, digits) =>
      `The money arrives at ${bank}${digits === null ? '' : `, account …${digits}`}: no other alert counts.`,
    noBank: 'It does not name its bank yet, so no alert confirms a payment to it.',
    noDigits:
      'The last digits of its bank account are not recorded, but your bank prints them: no alert confirms a payment to it.',
    nameBank: 'Name the bank and the digits',
    addAccount: 'Add a UPI account',
    mailbox: 'Your mailbox',
    mailboxTodo:
      'Connect the mailbox to which your bank sends its alerts. The connection is tested before it is kept.',
    mailboxDone: address => `${address} is being read.`,
    connect: 'Connect the mailbox',
    see: 'See the mailbox',
    bank: 'Your bank’s alerts',
    bankText: 'Your bank must send a mail for every credit, however small. Choose your bank:',
    chooseBank: 'Bank',
    choose: 'Show how',
    bankSteps: address => [
      'Sign in to your bank’s net banking or app and look for “Alerts”, “Notifications” or “Alert settings”.',
      'Switch alerts for money received (credits) on, by e-mail; SMS is of no use here.',
      'Set the smallest amount to ₹1 or ₹0, so that every credit sends a mail.',
      `Make sure that the mails go to ${address}.`,
    ],
    callsIt: name => `Your bank calls this “${name}”.`,
    senders: 'The mails come from',
    subjects: 'with a subject such as',
    noUpi: bank =>
      `${bank}’s mails do not tell of UPI credits, as far as we know. Payments through it cannot be confirmed.`,
    unconfirmed: bank =>
      `We know ${bank}’s wording from descriptions only. The proof below shows whether it is read rightly.`,
    bankSeen: bank => `A mail of ${bank} has arrived.`,
    notListed: 'Your bank is not in the list? The operator of this service can add it without a new version.',
    fewDigits: (bank, count) =>
      `${bank}’s alerts print ${count === 0 ? 'no digits' : `only ${count} digits`} of the account, so your protection is weaker: somebody who opens an account there and gives your alert address as theirs can make their own money look like yours. Let the bank write to an address that nobody knows, and tell it to nobody else.`,
    secretOffer: 'We suggest:',
    secretSubmit: 'Use this address',
    secretWaiting: address =>
      `A mail with a code is on its way to ${address}. Once it arrives, the address counts.`,
    secretReady: address => `Enter ${address} at your bank as your e-mail address. It is proven and counts.`,
    secretNeedsMailbox: 'Connect the mailbox first; then we suggest such an address.',
    proof: 'The proof: pay ₹1',
    proofText: 'Ask another person to pay one rupee from their phone. Then watch the alert pass every check.',
    whyOther:
      'It must be another person: a bank does not send an alert when you pay yourself from the same account.',
    webhook: 'Webhook address of your shop',
    webhookHint: 'Leave it empty if you have no server yet: we take the webhook ourselves.',
    start: 'Start the proof',
    again: 'Start again with a new amount',
    needFirst: 'Finish the UPI account and the mailbox first.',
    payExactly: amount => `Pay exactly ${amount}`,
    scan: 'Scan this with any UPI app on another person’s phone.',
    qr: amount => `QR code to pay ${amount}`,
    openPage: 'Or open the payment page',
    until: 'Payable until',
    over: 'The time is over. If you have paid, the alert still counts for ten more minutes.',
    checks: 'The checks',
    gates: {
      arrived: 'A bank mail arrived in the mailbox',
      signed: 'The bank’s signature is genuine',
      addressed: 'The bank addressed it to you',
      read: 'It tells of money that came in',
      own_account: 'It is about your account',
      matched: 'The amount is that of the order: paid',
    },
    waitingFor: {
      arrived: 'Waiting for the mail. Most banks send it within a minute.',
      signed: 'Waiting',
      addressed: 'Waiting',
      read: 'Waiting',
      own_account: 'Waiting',
      matched: 'Waiting',
    },
    wrongRecord: (told, recorded) =>
      `The alert is about ${told}; recorded is ${recorded}. If ${told} is your account, correct the record, and then start the proof again. If it is not, somebody else’s money was told to you: change nothing.`,
    correct: account => `Correct it to ${account}`,
    webhookSent: 'The webhook was sent',
    proven: 'Proven: payments are confirmed',
    provenText:
      'A real payment went the whole way. Your shop’s server is next: create a key and copy the code.',
    toIntegrations: 'Go to Integrations',
    thanks: 'Thank you',
    thanksText: 'You can close this page. The shop sees the result on its own screen.',
  },
  hi: {
    title: 'पहले कदम',
    text: 'पाँच कदम, और आख़िरी एक सबूत है: एक रुपया, सच में चुकाया और सच में पक्का हुआ।',
    done: 'हो गया',
    open: 'करना है',
    failed: 'असफल',
    name: 'आपका व्यवसाय',
    nameText: name => `ग्राहक भुगतान पेज पर “${name}” पढ़ते हैं।`,
    changeName: 'सेटिंग में बदलें',
    account: 'आपका UPI खाता',
    accountTodo: 'वह UPI ID जोड़ें जिस पर पैसा आता है, UPI ऐप में दिखने वाला नाम, उसका बैंक, और बैंक खाते के आख़िरी अंक।',
    accountDone: vpa => `ग्राहक ${vpa} पर भुगतान करते हैं।`,
    accountAt: (bank, digits) =>
      `पैसा ${bank}${digits === null ? '' : ` के खाते …${digits}`} में आता है: कोई और अलर्ट नहीं गिना जाता।`,
    noBank: 'इसमें बैंक अभी दर्ज नहीं है, इसलिए कोई अलर्ट इसके भुगतान की पुष्टि नहीं करता।',
    noDigits: 'बैंक खाते के आख़िरी अंक दर्ज नहीं हैं, पर आपका बैंक उन्हें छापता है: कोई अलर्ट इसके भुगतान की पुष्टि नहीं करता।',
    nameBank: 'बैंक और अंक दर्ज करें',
    addAccount: 'UPI खाता जोड़ें',
    mailbox: 'आपका मेलबॉक्स',
    mailboxTodo: 'वह मेलबॉक्स जोड़ें जिसमें बैंक अलर्ट भेजता है। रखने से पहले जोड़ की जाँच होती है।',
    mailboxDone: address => `${address} पढ़ा जा रहा है।`,
    connect: 'मेलबॉक्स जोड़ें',
    see: 'मेलबॉक्स देखें',
    bank: 'आपके बैंक के अलर्ट',
    bankText: 'बैंक को हर आने वाले पैसे पर मेल भेजना होगा, चाहे रकम कितनी भी छोटी हो। अपना बैंक चुनें:',
    chooseBank: 'बैंक',
    choose: 'तरीका दिखाएँ',
    bankSteps: address => [
      'बैंक की नेट बैंकिंग या ऐप में साइन इन करें और “Alerts”, “Notifications” या “Alert settings” खोजें।',
      'पैसा आने (credit) के अलर्ट ई-मेल से चालू करें; SMS यहाँ काम नहीं आता।',
      'सबसे छोटी रकम ₹1 या ₹0 रखें, ताकि हर रकम पर मेल आए।',
      `देख लें कि मेल ${address} पर जाते हैं।`,
    ],
    callsIt: name => `आपका बैंक इसे “${name}” कहता है।`,
    senders: 'मेल यहाँ से आते हैं',
    subjects: 'विषय कुछ ऐसा',
    noUpi: bank => `जहाँ तक हमें पता है, ${bank} के मेल UPI से आए पैसे नहीं बताते। इससे भुगतान की पुष्टि नहीं हो सकती।`,
    unconfirmed: bank =>
      `${bank} की शब्दावली हम सिर्फ़ विवरण से जानते हैं। नीचे का सबूत दिखाएगा कि वह ठीक पढ़ी जाती है या नहीं।`,
    bankSeen: bank => `${bank} का एक मेल आ चुका है।`,
    notListed: 'आपका बैंक सूची में नहीं? इस सेवा का संचालक उसे नए संस्करण के बिना जोड़ सकता है।',
    fewDigits: (bank, count) =>
      `${bank} के अलर्ट खाते ${count === 0 ? 'का कोई अंक नहीं' : `के सिर्फ़ ${count} अंक`} छापते हैं, इसलिए आपकी सुरक्षा कमज़ोर है: जो वहाँ खाता खोलकर आपका अलर्ट पता अपना बता दे, वह अपने पैसे को आपका दिखा सकता है। बैंक को ऐसा पता दें जो कोई और नहीं जानता, और उसे किसी को न बताएँ।`,
    secretOffer: 'हमारा सुझाव:',
    secretSubmit: 'यह पता इस्तेमाल करें',
    secretWaiting: address => `${address} पर कोड वाला मेल भेजा गया है। उसके पहुँचते ही यह पता गिना जाएगा।`,
    secretReady: address => `बैंक में अपना ई-मेल पता ${address} दर्ज कराएँ। यह जाँचा जा चुका है और गिना जाता है।`,
    secretNeedsMailbox: 'पहले मेलबॉक्स जोड़ें; फिर हम ऐसा पता सुझाएँगे।',
    proof: 'सबूत: ₹1 चुकाएँ',
    proofText: 'किसी और से कहें कि अपने फ़ोन से एक रुपया चुकाए। फिर देखें कि अलर्ट हर जाँच पार करता है।',
    whyOther: 'कोई दूसरा व्यक्ति हो: उसी खाते से ख़ुद को चुकाने पर बैंक अलर्ट नहीं भेजता।',
    webhook: 'आपकी दुकान का वेबहुक पता',
    webhookHint: 'सर्वर नहीं है तो खाली छोड़ें: वेबहुक हम ख़ुद ले लेंगे।',
    start: 'सबूत शुरू करें',
    again: 'नई रकम से फिर शुरू करें',
    needFirst: 'पहले UPI खाता और मेलबॉक्स पूरा करें।',
    payExactly: amount => `ठीक ${amount} चुकाएँ`,
    scan: 'किसी और के फ़ोन के UPI ऐप से इसे स्कैन करें।',
    qr: amount => `${amount} चुकाने का QR कोड`,
    openPage: 'या भुगतान पेज खोलें',
    until: 'कब तक चुका सकते हैं',
    over: 'समय निकल गया। अगर चुका दिया है, तो अलर्ट और दस मिनट तक गिना जाएगा।',
    checks: 'जाँचें',
    gates: {
      arrived: 'मेलबॉक्स में बैंक का मेल आया',
      signed: 'बैंक का साइन असली है',
      addressed: 'बैंक ने इसे आपको भेजा',
      read: 'इसमें पैसा आने की बात है',
      own_account: 'यह आपके खाते का है',
      matched: 'रकम ऑर्डर की है: भुगतान हुआ',
    },
    waitingFor: {
      arrived: 'मेल का इंतज़ार है। ज़्यादातर बैंक एक मिनट में भेजते हैं।',
      signed: 'इंतज़ार',
      addressed: 'इंतज़ार',
      read: 'इंतज़ार',
      own_account: 'इंतज़ार',
      matched: 'इंतज़ार',
    },
    wrongRecord: (told, recorded) =>
      `अलर्ट ${told} का है; दर्ज है ${recorded}। अगर ${told} आपका खाता है, तो दर्ज खाता सुधारें और सबूत फिर शुरू करें। अगर नहीं, तो किसी और के पैसे की ख़बर आपको मिली है: कुछ न बदलें।`,
    correct: account => `${account} पर सुधारें`,
    webhookSent: 'वेबहुक भेजा गया',
    proven: 'साबित हुआ: भुगतान की पुष्टि होती है',
    provenText: 'एक असली भुगतान पूरे रास्ते से गुज़रा। अब आपकी दुकान का सर्वर: कुंजी बनाएँ और कोड कॉपी करें।',
    toIntegrations: 'इंटीग्रेशन देखें',
    thanks: 'धन्यवाद',
    thanksText: 'आप यह पेज बंद कर सकते हैं। दुकान को नतीजा अपनी स्क्रीन पर दिखता है।',
  },
};
