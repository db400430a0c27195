import type { Phrase } from './phrase.ts';

/** Why an alert got its verdict: the reasons of alerts/ and matching/, and those in the banks' files. */
export const alertPhrases: readonly Phrase[] = [
  // Matching.
  ['paid order {1}', 'ऑर्डर {1} चुका'],
  [
    'order {1} was paid already; this is a second payment of the same amount',
    'ऑर्डर {1} पहले ही चुक चुका था; यह उसी रकम का दूसरा भुगतान है',
  ],
  [
    'the money came more than ten minutes after order {1} expired',
    'ऑर्डर {1} का समय समाप्त होने के दस मिनट से भी बाद पैसा आया',
  ],
  [
    'the alert is about an account that is not the one recorded for this UPI ID',
    'अलर्ट ऐसे खाते का है जो इस UPI ID के लिए दर्ज खाता नहीं है',
  ],
  ['the alert is of {1}, but your UPI account is at {2}', 'अलर्ट {1} का है, पर आपका UPI खाता {2} में है'],
  [
    'your UPI account does not name its bank yet; name it under UPI accounts, so that alerts can count',
    'आपके UPI खाते में उसका बैंक अभी दर्ज नहीं है; “UPI खाते” में बैंक चुनें, तभी अलर्ट गिने जाएँगे',
  ],
  [
    'the alert is about account …{1}, and no digits are recorded for your UPI account',
    'अलर्ट खाते …{1} का है, और आपके UPI खाते के अंक दर्ज नहीं हैं',
  ],
  ['this payment was counted already from an earlier mail', 'यह भुगतान पहले के एक मेल से गिना जा चुका है'],
  ['no order has exactly this amount; some come close', 'ठीक इस रकम का कोई ऑर्डर नहीं; कुछ इसके क़रीब हैं'],
  ['no order has this amount at that time', 'उस समय इस रकम का कोई ऑर्डर नहीं था'],

  // Judging as a whole.
  ['A fault on our side; it is tried again.', 'हमारी तरफ़ की गड़बड़ी; फिर कोशिश होगी।'],
  [
    'Its signature could not be proved, and too many mails like it wait; the largest were not kept.',
    'इसका साइन साबित नहीं हो सका, और ऐसे बहुत-से मेल रुके हुए हैं; सबसे बड़े नहीं रखे गए।',
  ],
  ['Given up after a day. {1*}', 'एक दिन बाद छोड़ दिया गया। {1*}'],
  [
    'The mail could not be read because of a fault on our side.',
    'हमारी तरफ़ की गड़बड़ी के कारण मेल पढ़ा नहीं जा सका।',
  ],
  ['The mail asks for ever more keys.', 'मेल बार-बार नई कुंजियाँ माँगता है।'],
  ['The mail needs too much memory.', 'मेल पढ़ने में बहुत ज़्यादा मेमोरी लगती है।'],
  ['Reading the mail took too long.', 'मेल पढ़ने में बहुत समय लगा।'],
  ['The mail does not have one clear sender.', 'मेल का एक साफ़ भेजने वाला नहीं है।'],
  ["{1} is not a known sender of any bank's alerts.", '{1} किसी बैंक के अलर्ट का जाना-पहचाना भेजने वाला नहीं है।'],
  ['The signed sender is not the sender shown.', 'साइन किया हुआ भेजने वाला दिखाए गए भेजने वाले से अलग है।'],
  ['The mail does not tell a trustworthy time.', 'मेल भरोसे लायक समय नहीं बताता।'],
  [
    'The recipient is written in a way that can be read twice.',
    'पाने वाले का पता ऐसे लिखा है कि दो तरह से पढ़ा जा सकता है।',
  ],
  [
    'The bank addressed this mail to nobody, which is not one of your alert addresses.',
    'बैंक ने यह मेल किसी के नाम नहीं भेजा, इसलिए यह आपके अलर्ट पते पर भेजा हुआ नहीं है।',
  ],
  [
    'The bank addressed this mail to {1}, which is not one of your alert addresses.',
    'बैंक ने यह मेल {1} को भेजा, जो आपके अलर्ट पतों में नहीं है।',
  ],
  [
    '{1} no longer exists ({2}), so no alert of it counts.',
    '{1} अब नहीं है ({2}), इसलिए उसका कोई अलर्ट नहीं गिना जाता।',
  ],
  ['{1} says that the money has arrived.', '{1} कहता है कि पैसा आ गया है।'],
  ['The subject is written in an unknown way.', 'विषय अनजान तरीके से लिखा है।'],

  // The signature.
  [
    "{1}'s signature was valid when the mail arrived and has expired since; it needs a person's look.",
    '{1} का साइन मेल आने पर सही था, पर अब उसका समय निकल गया; किसी व्यक्ति को देखना होगा।',
  ],
  [
    'The signature covers only a part of the body (l=), so text could have been added.',
    'साइन सामग्री के सिर्फ़ एक हिस्से पर है (l=), इसलिए लेख जोड़ा जा सकता था।',
  ],
  ['The signature uses {1}, which is not safe.', 'साइन {1} से बना है, जो सुरक्षित नहीं है।'],
  [
    'The signature speaks for a domain (i=) other than its own.',
    'साइन अपने डोमेन के बजाय किसी और डोमेन (i=) के नाम पर है।',
  ],
  ['The signature does not cover the sender.', 'साइन में भेजने वाला शामिल नहीं है।'],
  ['The signature claims to have been made after the mail arrived.', 'साइन के अनुसार वह मेल आने के बाद बना।'],
  ['The signature had expired before the mail arrived.', 'मेल आने से पहले ही साइन का समय निकल चुका था।'],
  [
    'The mail claims to be from {1} but carries no signature of the bank.',
    'मेल {1} का होने का दावा करता है, पर उस पर बैंक का साइन नहीं है।',
  ],
  [
    'The mail is signed by {1}, which is not known as a signing domain of {2}.',
    'मेल पर {1} का साइन है, जो {2} के साइन करने वाले डोमेन के रूप में नहीं जाना जाता।',
  ],
  [
    'The mail claims to be from {1} but is not signed by the bank; a signature of {2} did not help.',
    'मेल {1} का होने का दावा करता है, पर बैंक ने साइन नहीं किया; {2} के साइन से कुछ साबित नहीं होता।',
  ],
  ['The signature can be read in two ways.', 'साइन दो तरह से पढ़ा जा सकता है।'],
  ['{1} says that its key is only for testing.', '{1} कहता है कि उसकी कुंजी सिर्फ़ परीक्षण के लिए है।'],
  ['The signature breaks a rule of DKIM.', 'साइन DKIM का एक नियम तोड़ता है।'],
  ['The body of the mail was changed after it was signed.', 'साइन होने के बाद मेल की सामग्री बदली गई।'],
  ['The signature does not cover sender and subject.', 'साइन में भेजने वाला और विषय शामिल नहीं हैं।'],
  ['The signature does not cover the To address.', 'साइन में पाने वाले का पता (To) शामिल नहीं है।'],
  ['The signature does not cover the Cc address.', 'साइन में Cc का पता शामिल नहीं है।'],
  ['The signature does not cover the Date.', 'साइन में तारीख़ शामिल नहीं है।'],
  [
    'The signature does not cover how the body is encoded, so the body could be made to read differently.',
    'साइन में यह शामिल नहीं कि सामग्री कैसे लिखी गई है, इसलिए उसे अलग तरह से पढ़वाया जा सकता था।',
  ],
  ['The key of {1} could not be fetched; it will be tried again.', '{1} की कुंजी नहीं मिल सकी; फिर कोशिश होगी।'],
  ['DNS has no key {1} at the moment; it will be tried again.', 'DNS में अभी कुंजी {1} नहीं है; फिर कोशिश होगी।'],
  ['The signature of {1} is not valid for this mail.', '{1} का साइन इस मेल के लिए सही नहीं है।'],
  [
    'The key that DNS holds at {1} is not the one that signed this mail.',
    'DNS में {1} पर जो कुंजी है, उससे यह मेल साइन नहीं हुआ।',
  ],
  ['The key of {1} is too short.', '{1} की कुंजी बहुत छोटी है।'],
  ['{1} has withdrawn the key of this signature.', '{1} ने इस साइन की कुंजी वापस ले ली है।'],
  [
    'DNS holds no usable key at {1}; it will be tried again.',
    'DNS में {1} पर काम की कुंजी नहीं है; फिर कोशिश होगी।',
  ],
  ['The signature of {1} was refused ({2}).', '{1} का साइन नहीं माना गया ({2})।'],

  // How the mail is built.
  ['The message is larger than 1 MiB.', 'मेल 1 MiB से बड़ा है।'],
  [
    'The mail is larger than 1 MiB; no bank alert is. Only its head was kept.',
    'मेल 1 MiB से बड़ा है; बैंक का कोई अलर्ट इतना बड़ा नहीं होता। सिर्फ़ उसका ऊपरी हिस्सा रखा गया।',
  ],
  ['The message contains a NUL byte.', 'मेल में NUL बाइट है।'],
  [
    'The message has line ends that are not CRLF, which a mail server would not keep.',
    'मेल की पंक्तियाँ CRLF पर ख़त्म नहीं होतीं, जैसा कोई मेल सर्वर नहीं रखता।',
  ],
  ['The message has no end of headers.', 'मेल के हेडर कहीं ख़त्म नहीं होते।'],
  ['The message carries more than {1} DKIM signatures.', 'मेल पर {1} से ज़्यादा DKIM साइन हैं।'],
  ['The headers of the message are larger than 64 KiB.', 'मेल के हेडर 64 KiB से बड़े हैं।'],
  ['A header line is malformed.', 'हेडर की एक पंक्ति टूटी हुई है।'],
  ['A header holds an empty continuation line.', 'एक हेडर में खाली पंक्ति है।'],
  ['The message has more than one {1} header.', 'मेल में एक से ज़्यादा {1} हेडर हैं।'],
  ['The mail has more than {1} parts.', 'मेल में {1} से ज़्यादा हिस्से हैं।'],
  ['The mail describes a part of itself in a malformed way.', 'मेल अपने एक हिस्से का विवरण ग़लत तरीके से देता है।'],
  ['The mail uses an unknown transfer encoding.', 'मेल अनजान ट्रांसफ़र एन्कोडिंग में है।'],
  ['The mail contains another mail.', 'मेल के भीतर एक और मेल है।'],
  ['The mail encodes a whole multipart.', 'मेल के सारे हिस्से एक साथ एन्कोड किए हुए हैं।'],
  ['The mail uses {1}, which no bank is known to send.', 'मेल {1} में है, जो कोई बैंक नहीं भेजता।'],
  ['The mail nests its parts deeper than {1} levels.', 'मेल के हिस्से {1} से ज़्यादा स्तर तक एक-दूसरे के भीतर हैं।'],
  ['A part of the mail has malformed headers.', 'मेल के एक हिस्से के हेडर टूटे हुए हैं।'],
  [
    'The mail is in parts but does not say properly where they begin.',
    'मेल हिस्सों में है, पर ठीक से नहीं बताता कि वे कहाँ शुरू होते हैं।',
  ],
  ['The mail goes on after its last part.', 'मेल अपने आख़िरी हिस्से के बाद भी चलता है।'],
  ['A line of the mail only begins like a boundary.', 'मेल की एक पंक्ति सिर्फ़ शुरुआत में हिस्से की सीमा जैसी है।'],
  ['The mail breaks off before its last part ends.', 'मेल अपने आख़िरी हिस्से के ख़त्म होने से पहले टूट जाता है।'],
  ['The mail says that it has parts and has none.', 'मेल कहता है कि उसमें हिस्से हैं, पर एक भी नहीं है।'],
  [
    'The bank does not sign how this mail is built, and it is not built as the bank is known to do.',
    'बैंक इस मेल की बनावट पर साइन नहीं करता, और यह बैंक के जाने-पहचाने ढंग से नहीं बना है।',
  ],
  ['The mail has text attached to it.', 'मेल के साथ लेख नत्थी है।'],
  ['The mail has more than one text of the same kind.', 'मेल में एक ही तरह के एक से ज़्यादा लेख हैं।'],
  ['The mail has no text.', 'मेल में कोई लेख नहीं है।'],
  [
    'The bank does not sign whether this mail is plain or HTML, and it could be either.',
    'बैंक इस पर साइन नहीं करता कि मेल सादा है या HTML, और वह दोनों हो सकता है।',
  ],
  ['The mail nests its HTML too deep.', 'मेल का HTML बहुत गहराई तक एक-दूसरे के भीतर है।'],
  [
    'The mail is written in a character set that is not read here.',
    'मेल ऐसी लिपि-कोड में है जो यहाँ नहीं पढ़ी जाती।',
  ],
  ['The mail has more lines than any alert of a bank.', 'मेल में किसी भी बैंक अलर्ट से ज़्यादा पंक्तियाँ हैं।'],
  ['The mail folds its lines in an unusual way.', 'मेल की पंक्तियाँ अनोखे ढंग से मुड़ी हैं।'],
  ['The mail holds broken base64.', 'मेल में टूटा हुआ base64 है।'],
  ['The mail holds broken quoted-printable.', 'मेल में टूटा हुआ quoted-printable है।'],
  ['The mail contains a NUL character.', 'मेल में NUL अक्षर है।'],
  ['The mail says that it is plain ASCII and is not.', 'मेल ख़ुद को सादा ASCII कहता है, पर है नहीं।'],

  // What the mail says.
  [
    'The plain and the HTML text of the mail do not say the same.',
    'मेल का सादा लेख और HTML लेख एक ही बात नहीं कहते।',
  ],
  ['The text is longer than any alert of a bank.', 'लेख किसी भी बैंक अलर्ट से लंबा है।'],
  ['The text holds more than one credit wording.', 'लेख में पैसा आने की एक से ज़्यादा बातें हैं।'],
  ['The amount in the mail is not a sum of rupees.', 'मेल में लिखी रकम रुपयों में नहीं है।'],
  ['The wording is not known for this bank.', 'इस बैंक की यह शब्दावली हम नहीं जानते।'],
  ['The money came by another channel than UPI or IMPS.', 'पैसा UPI या IMPS के बजाय किसी और रास्ते से आया।'],
  ['The wording is known, but it came under another subject.', 'शब्दावली जानी-पहचानी है, पर विषय दूसरा था।'],
  ['The subject and the text name different amounts.', 'विषय और लेख में अलग-अलग रकम है।'],
  ['The subject and the text name different accounts.', 'विषय और लेख में अलग-अलग खाते हैं।'],
  [
    'The words that name a fact of the payment stand in the text more than once.',
    'भुगतान की कोई बात बताने वाले शब्द लेख में एक से ज़्यादा बार आए हैं।',
  ],
  [
    "The payer's name holds an amount or a number like a reference.",
    'भुगतान करने वाले के नाम में कोई रकम या संदर्भ जैसी संख्या है।',
  ],
  [
    'A line that is not known for this bank stands before the statement of the credit.',
    'पैसा आने की बात से पहले एक ऐसी पंक्ति है जो हम इस बैंक की नहीं जानते।',
  ],
  [
    "The statement of the credit stands where a payer's text could stand.",
    'पैसा आने की बात ऐसी जगह है जहाँ भुगतान करने वाले का लिखा भी हो सकता है।',
  ],

  // What is certainly no credit.
  ['A one-time password, no payment.', 'एक बार का पासवर्ड (OTP), भुगतान नहीं।'],
  ['A payment that failed or was declined.', 'भुगतान जो असफल या नामंज़ूर हुआ।'],
  ['A payment that is still to come.', 'भुगतान जो अभी आना बाकी है।'],
  [
    "City Union's wording for NEFT; its mail about UPI money is not known.",
    'City Union की NEFT वाली शब्दावली; UPI के पैसे का उसका मेल हम नहीं जानते।',
  ],
  ['A payment that failed; no money has come in.', 'भुगतान जो असफल हुआ; कोई पैसा नहीं आया।'],
  ['A refund or reversal, not a payment by a customer.', 'रिफ़ंड या वापसी, ग्राहक का भुगतान नहीं।'],
  [
    'A refund of a debit card purchase, not a payment by a customer.',
    'डेबिट कार्ड ख़रीद का रिफ़ंड, ग्राहक का भुगतान नहीं।',
  ],
  ['A request to pay; no money has come in.', 'भुगतान की माँग; कोई पैसा नहीं आया।'],
  [
    'A mandate or AutoPay notice, not a payment by a customer.',
    'मैंडेट या AutoPay की सूचना, ग्राहक का भुगतान नहीं।',
  ],
  ['A mandate notice, not a payment by a customer.', 'मैंडेट की सूचना, ग्राहक का भुगतान नहीं।'],
  ['An AutoPay notice, not a payment by a customer.', 'AutoPay की सूचना, ग्राहक का भुगतान नहीं।'],
  ['A mandate debit: money left the account.', 'मैंडेट से कटौती: पैसा खाते से निकला।'],
  [
    'A repayment to a loan account, not money received in the account.',
    'ऋण खाते की चुकौती, खाते में आया पैसा नहीं।',
  ],
  [
    'A payment of a credit card bill, not money received in the account.',
    'क्रेडिट कार्ड बिल का भुगतान, खाते में आया पैसा नहीं।',
  ],
  ['A credit card mail, not money received in the account.', 'क्रेडिट कार्ड का मेल, खाते में आया पैसा नहीं।'],
  ['A statement, not the alert of one payment.', 'स्टेटमेंट, एक भुगतान का अलर्ट नहीं।'],
  ['A balance notice, not the alert of one payment.', 'बैलेंस की सूचना, एक भुगतान का अलर्ट नहीं।'],
  ['A debit alert: money left the account.', 'निकासी का अलर्ट: पैसा खाते से निकला।'],
  ['A cash withdrawal: money left the account.', 'नकद निकासी: पैसा खाते से निकला।'],
  [
    'A confirmation that your own transfer arrived: money left the account.',
    'आपके अपने ट्रांसफ़र के पहुँचने की पुष्टि: पैसा खाते से निकला।',
  ],
  [
    'A transfer to another account of your own: money left the account.',
    'आपके ही दूसरे खाते में ट्रांसफ़र: पैसा खाते से निकला।',
  ],
  [
    'A foreign remittance notice; the money is not in the account yet.',
    'विदेश से पैसे की सूचना; पैसा अभी खाते में नहीं आया।',
  ],
  ['A fixed deposit notice, not a payment by a customer.', 'सावधि जमा की सूचना, ग्राहक का भुगतान नहीं।'],
  ['A tax notice, not a payment by a customer.', 'टैक्स की सूचना, ग्राहक का भुगतान नहीं।'],
  ['A reward points notice, no payment.', 'रिवॉर्ड पॉइंट की सूचना, भुगतान नहीं।'],
  ['A notice about card or account settings, no payment.', 'कार्ड या खाते की सेटिंग की सूचना, भुगतान नहीं।'],
  ['Money in a prepaid wallet, which is not a bank account.', 'प्रीपेड वॉलेट में पैसा, जो बैंक खाता नहीं है।'],
  ['A hand-forwarded mail, which proves nothing.', 'हाथ से आगे भेजा गया मेल, जो कुछ साबित नहीं करता।'],
];
