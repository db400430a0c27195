/**
 * Words of a bank that take a credit back, or say that it is still to come. In front of a statement a bank greets and
 * announces; whatever it announces there governs all that follows, so one such word is enough. Behind it come advice,
 * terms and advertising, which use the same words of other matters: there only a sentence counts whose subject is this
 * payment or this mail, or a lone word such as "Pending.". A sentence that only supposes ("if you have not initiated
 * this transaction") speaks of nothing that happened.
 */
export function doubtIn(announcement: string): string | null {
  for (const sentence of sentencesOf(announcement)) {
    const said = announced.exec(sentence) ?? hindi.exec(sentence);
    if (said !== null && !condition.test(sentence.slice(0, said.index))) return said[0];
  }
  return null;
}

/** Beyond this a lone word belongs to some table or menu of the footer. */
const nearby = 200;
/** A sentence about this payment may come after a long thank-you. */
const far = 1_500;

/** What stands behind the wording. Where the wording ends in the middle of the payer's own text, that is his to say. */
export function doubtBehind(after: string, { endsInPayerText }: { endsInPayerText: boolean }): string | null {
  const [rest = '', ...sentences] = sentencesOf(after.slice(0, far));
  const lone = endsInPayerText ? null : (loneAtOnce.exec(rest) ?? loneInCapitals.exec(rest));
  if (lone !== null) return lone[1]!;
  let at = 0;
  for (const sentence of [rest, ...sentences]) {
    const isNear = at < nearby;
    at += sentence.length + 1;
    const isPayers = endsInPayerText && sentence === rest;
    if (isPayers || condition.test(sentence) || generality.test(sentence)) continue;
    const said = ofThis.exec(sentence) ?? takenBack.exec(sentence);
    const alone = isNear ? (lonely.exec(sentence) ?? hindiOfThis(sentence)) : null;
    if (said !== null || alone !== null) return (said ?? alone)![0].trim();
  }
  return null;
}

/** "भुगतान लंबित है।" is about this payment; a longer sentence that names none is about payments. */
function hindiOfThis(sentence: string): RegExpExecArray | null {
  const said = hindi.exec(sentence);
  if (said === null) return null;
  const isAlone =
    !/[\p{L}\p{N}]/u.test(said.input.slice(0, said.index)) &&
    !goesOnInHindi.test(said.input.slice(said.index + said[0].length));
  const isShort = sentence.trim().split(' ').length <= fewWords;
  return isAlone || isShort || /यह|इस|उक्त/.test(sentence) ? said : null;
}

const fewWords = 4;
const goesOnInHindi = /^\s*\p{Script=Devanagari}/u;

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?।]) |(?<=\.)(?=\p{Lu})/u);
}

const condition = /\b(?:if|in case|incase|in the event|unless|already)\b|यदि|अगर/i;

/** What may happen, what never does, and what holds for every customer. */
const generality = /\b(?:once|when|whenever|should|any|all|may|might|never|cannot|can't|will not)\b|\?\s*$/i;

/** English and Hindi of a payment that did not happen; a negation needs its verb, or "do not reply" would be one. */
const negated =
  "(?:could(?: not|n['’]t)|cannot be|(?:not|n['’]t|never) (?:yet |been |be )*(?:credited|received|deposited|processed|completed|successful|happen\\w*|settled|confirmed|accepted|approved|valid|genuine|through|go(?:ne)? through))";

const announced = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    negated,
    'unable to (?!view|read|see|display|open)\\w+',
    'un(?:successful|processed|paid)\\w*',
    '(?:fail|declin|reject|revers|cancel|refund|recall|bounc|abort)(?:s|e|ed|ure|al|led|ing|lation|ling)?',
    'returned|expired|timed[ -]out|invalid|void|voided|suspended|withheld|(?:on|held) (?:hold|back)',
    '(?:will|shall|would) be|to be (?:credited|received|processed|settled)|upcoming|schedul\\w*|expected|await\\w*|pending|initiat\\w*',
    '(?:in|under) (?:process|progress)\\w*|processing|due on|provisional\\w*|proposed|planned',
    'subject to (?:clear|reali[sz]|confirm|approv|verif)\\w*|once (?:the|you|it|he|they)|until|approv(?:e|es|al)',
    '(?:collect|payment|money|pay) requests?|requests? (?:for|of|from)|requesting',
    'ignore|disregard|in error|erroneous\\w*|(?:by )?mistake\\w*|mistaken\\w*|wrong(?:ly)?|incorrect\\w*',
    'correction|corrigendum|inadvertent\\w*|regret|apologi[sz]e|apolog(?:y|ies)|dummy|specimen',
    'test (?:e-?mail|mail|message|alert|transaction|payment|credit)',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** NFKC writes the dot below a Hindi letter as a character of its own, and many people leave it out. */
const hindi =
  /विफल|असफल|नाकाम|ल(?:ंब|म्ब)ित|रद्द|निरस्त|अस्वीकृत|अस्वीकार|नामंज\u093c?ूर|वापस|रिवर्स|रिफ\u093c?ंड|फ\u093c?ेल|पेंडिंग|होल्ड|त्रुटि|ग\u093c?लती|अनुरोध|निर्धारित|प्रतीक्षा|ध्यान न दें|अनदेखा|नज\u093c?रअंदाज|नहीं (?:हु|कि|हो|मि|आ|जमा|रह)|(?:होगा|होगी|जाए?गा|जाए?गी|जायेगा|जायेगी)/u;

const undone =
  '(?:pending|on hold|cancelled|canceled|failed|declined|rejected|reversed|refunded|returned|recalled|unsuccessful|expired|scheduled|(?<!not )initiated(?! by))';

/** "This transaction is …", "It will be …", "Txn status: …": the subject is what was just told, and the verb follows it. */
const ofThis = new RegExp(
  `^\\W*(?:(?:but|and|however|note|please note|we regret|that|to inform you|sorry)[,: ]+)*(?:(?:this|that|the|your|above|said|same|UPI|IMPS)\\W+)*(?:credit|amount|payment|transaction|txn|transfer|money|sum|funds?|e-?mail|mail|alert|message|notification|status|it|this)s?(?: status| of [^.]{1,30}?| above| below)?(?: ?: ?| - | (?:is|was|are|were|has|have|had|will|shall|could|did|stands|remains) )[^.]{0,40}?(?:\\b(?:${undone}|reversal|refund|collect request|payment request|chargeback|(?:sent|issued|generated|made|credited) (?:in error|by mistake|wrongly)|in error|test (?:e-?mail|mail|message|alert|transaction|payment)|awaited|under process|in process|provisional|will be (?:credited|received|processed|transferred|reversed|refunded|returned|cancelled|released|settled))\\b|(?:${negated})\\b)|^\\W*(?:the |this |your )?(?:amount|money|payment|credit|transfer|transaction|it) (?:will|shall) be (?:credited|received|processed|transferred|released|settled)\\b|^\\W*(?:but|however)\\b[^.]{0,40}?\\b(?:${negated})\\b`,
  'i',
);

/** A sentence of its own: "Pending.", "Transaction cancelled.", "On hold." */
const lonely = new RegExp(
  `^\\W*(?:(?:payment|transaction|txn|transfer|credit|amount|status|now|still|currently|is|was)\\W+){0,3}${undone}[\\s.!)*]*$`,
  'i',
);

/** The wording goes on with it: " - pending", " (cancelled)", " on hold."; a capital would begin a heading of the footer. */
const loneAtOnce = new RegExp(
  `^(?:\\s*[-–(:*[,]\\s*|\\s+(?:is |was |but |now |still )*(?=${undone}\\s*(?:$|[.!;,)*–-])))(${undone})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** " FAILED": in capitals whatever follows. */
const loneInCapitals =
  /^\s+(PENDING|ON HOLD|CANCELL?ED|FAILED|DECLINED|REJECTED|REVERSED|REFUNDED|RETURNED|EXPIRED|SCHEDULED)(?![\p{L}\p{N}])/u;

/** Only this mail: "kindly ignore calls that ask for your OTP" is advice. */
const takenBack =
  /\b(?:please|kindly|pls)\b[^.]{0,20}?\b(?:ignore|disregard)(?: (?:this|it|the (?:above|said|same|earlier|previous))\b[^.]{0,30}|\W*$)/i;
