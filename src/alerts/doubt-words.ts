/**
 * Words of a bank that take a credit back, or say that it is still to come. In front of a statement a bank greets and
 * announces; whatever it announces there governs all that follows, so one such word is enough. A sentence that only
 * supposes ("if you have not initiated this transaction") or warns ("never approve a request") tells nothing that
 * happened. What stands behind the statement is weighed by `doubtBehind`.
 */
export function doubtIn(announcement: string): string | null {
  for (const sentence of sentencesOf(announcement)) {
    const said = announced.exec(sentence) ?? hindi.exec(sentence) ?? hindiSample.exec(sentence);
    if (said === null) continue;
    const lead = sentence.slice(0, said.index);
    if (!condition.test(lead) && !warning.test(lead)) return said[0];
  }
  return null;
}

export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?।]) |(?<=\.)(?=\p{Lu})/u);
}

/** "Transaction failed? It is reversed within a day.": what answers a question about failures is no news of this one. */
export function withoutAnswers(sentences: readonly string[]): string[] {
  return sentences.filter((_, at) => !troubled.test(sentences[at - 1] ?? ''));
}

const troubled = /\b(?:fail\w*|debited|declined|pending|stuck|refunds?)\b[^?]*\?\s*$/i;

export const condition = /\b(?:if|in case|incase|in the event|unless|already)\b|यदि|अगर/i;

/** "Never approve …", "do not accept any …": advice, as long as nothing else stands between. */
const warning = /\b(?:never|do not|don['’]t|avoid|beware of)\b(?: [\w-]+){0,2} ?$/i;

/** A payment that did not happen; a negation needs its verb, or "do not reply" would be one. */
export const negated =
  "(?:could(?: not|n['’]t)|cannot be|(?:not|n['’]t|never) (?:yet |been |be )*(?:credited|received|deposited|processed|completed|successful|happen\\w*|settled|confirmed|accepted|approved|valid|genuine|through|go(?:ne)? through))";

const announced = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    negated,
    'unable to (?!view|read|see|display|open)\\w+',
    'un(?:successful|processed|paid)\\w*',
    '(?:fail|declin|reject|revers|cancel|refund|recall|bounc|abort)(?:s|e|ed|ure|al|led|ing|lation|ling)?',
    'returned|expired|timed[ -]out|invalid|void|voided|suspended|withheld|frozen|recovered|(?:on|held) (?:hold|back)',
    '(?<!(?:alerts?|mails?|messages?|notifications?|SMS|intimations?) )(?:will|shall|would) be|to be (?:credited|received|processed|settled)|upcoming|schedul\\w*(?! maintenance| downtime)|expected|await\\w*|pending|initiat(?!ives?)\\w*',
    '(?:will|shall|may|about to) (?:soon |shortly )?(?:receive|get|be getting)|future[- ]dated|forthcoming|standing instructions?',
    '(?:in|under) (?:process|progress|review|investigation)\\w*|processing|due on|provisional\\w*|proposed|planned',
    'subject to (?:clear|reali[sz]|confirm|approv|verif)\\w*|once (?:the|you|it|he|they)|until|approv(?:e|es|al)',
    '(?:collect|payment|money|pay) requests?|requests? (?:for|of|from)(?! (?:e-?mail |SMS |such |these )?alerts?)|requesting|requests? raised',
    'wants to (?:pay|send)|(?:accept|claim) (?:this|the|your) (?:payment|money|amount|transfer|credit)|asked [^.]{1,60}? to pay',
    '(?:debit alert|outgoing (?:payment|transfer)|(?:you|money|amount|payment) sent|your (?:payment|transfer) to)',
    'ignore|disregard|in error|erroneous\\w*|(?:by )?mistake\\w*|mistaken\\w*|wrong(?:ly)?|incorrect\\w*',
    'correction|corrigendum|inadvertent\\w*|regret|apologi[sz]e|apolog(?:y|ies)|dummy|specimen|(?:demo|draft|example|template|preview|cashback|reminder) ?:',
    'preview of|alerts? (?:format|look)s?|(?:duplicate|old|earlier|previous) (?:alert|mail|message)|(?:last|previous) (?:week|month|year)|loan disburs\\w*',
    'test (?:e-?mail|mail|message|alert|transaction|payment|credit)',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** NFKC writes the dot below a Hindi letter as a character of its own, and many people leave it out. */
export const hindi =
  /विफल|असफल|नाकाम|ल(?:ंब|म्ब)ित|रद्द|निरस्त|अस्वीकृत|अस्वीकार|नामंज\u093c?ूर|वापस(?! नहीं)|लौटा (?:दी|दि)|प्रक्रियाधीन|प्रक्रिया में|रिवर्स|रिफ\u093c?ंड|फ\u093c?ेल|पेंडिंग|होल्ड|त्रुटि|ग\u093c?लती|अनुरोध|निर्धारित|प्रतीक्षा|ध्यान न दें|अनदेखा|नज\u093c?रअंदाज|नहीं (?:हु|कि|हो(?!गी|गा)|मि|आ|जमा|रह)|(?<!नहीं )(?:होगा|होगी|जाए?गा|जाए?गी|जायेगा|जायेगी)/u;

const hindiSample = /नमूना|उदाहरण/u;
