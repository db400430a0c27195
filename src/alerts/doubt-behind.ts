import { condition, hindi, negated, sentencesOf, withoutAnswers } from './doubt-words.ts';

/** Beyond this a lone word belongs to some table or menu of the footer. */
const nearby = 200;
/** A sentence about this payment may come after a long thank-you. */
const far = 1_500;

/**
 * What stands behind the wording: advice, terms and advertising, which use a bank's words of failure for other matters.
 * So only the rest of the wording's own sentence counts, a sentence whose subject or object is this payment or this
 * mail, or a lone word such as "Pending.". Where the wording ends inside the payer's own text, that is his to say.
 */
export function doubtBehind(after: string, { endsInPayerText }: { endsInPayerText: boolean }): string | null {
  const [rest = '', ...sentences] = withoutAnswers(sentencesOf(after.slice(0, far)));
  const lone = endsInPayerText ? null : (loneAtOnce.exec(rest) ?? loneInCapitals.exec(rest));
  if (lone !== null) return lone[1]!;
  const goesOn = endsInPayerText || condition.test(rest) ? null : inOneBreath.exec(rest);
  if (goesOn !== null) return goesOn[1]!;
  let at = 0;
  for (const sentence of [rest, ...sentences]) {
    const isNear = at < nearby;
    at += sentence.length + 1;
    const isPayers = endsInPayerText && sentence === rest;
    if (isPayers || condition.test(sentence)) continue;
    const corrected = isNear ? correction.exec(sentence) : null;
    if (corrected !== null) return corrected[0].trim();
    if (generality.test(sentence)) continue;
    const said = statements.map(statement => statement.exec(sentence)).find(found => found !== null) ?? null;
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
  return isAlone || isShort || /यह|इस|उक्त|^[^\p{L}]*राशि आपके खाते में/u.test(sentence) ? said : null;
}

const fewWords = 4;
const goesOnInHindi = /^\s*\p{Script=Devanagari}/u;

/** What may happen, what never does, and what holds for every customer. */
const generality =
  /\b(?:once|when|whenever|should|any|all|may|might|can|never|cannot|can't|will not)\b|\?\s*$/i;

const undone =
  '(?:pending|on hold|cancelled|canceled|failed|declined|rejected|reversed|refunded|returned|recalled|unsuccessful|expired|scheduled|(?<!not )initiated(?! by)|withdrawn|frozen|disputed|recovered|clawed back|charged back|paid back|timed[ -]out|void|voided|rolled back|nullified|aborted|bounced|blocked|incomplete|under dispute|yet to be \\w+|await(?:ed|ing (?:confirmation|credit|approval|settlement|response|clearance))|under (?:process|review|investigation|lien)|in (?:process|progress)|(?:being )?(?:processing|reviewed|investigated)|being (?:processed|verified)|marked (?:as|under) lien)';

const money = '(?:credit|amount|payment|transaction|txn|transfer|money|sum|funds?|entry)';
const thisMoney = `(?:this|the (?:above|said|same|credited|aforesaid)) ${money}`;

/** "This transaction is …", "It will be …", "Txn status: …": the subject is what was just told, and the verb follows it. */
const ofThis = new RegExp(
  `^\\W*(?:(?:but|and|however|note|please note|we regret|that|to inform you|sorry)[,: ]+)*(?:(?:this|that|the|your|above|said|same|UPI|IMPS)\\W+)*(?:credit|amount|payment|transaction|txn|transfer|money|sum|funds?|entry|settlement|e-?mail|mail|alert|message|notification|status|it|this)s?(?: status| of [^.]{1,30}?| above| below)?(?: ?: ?| - | (?:is|was|are|were|has|have|had|got|will|shall|could|did|stands|remains) )(?!not an? )[^.]{0,40}?(?:\\b(?:${undone}|reversal|refund|collect request|payment request|chargeback|(?:sent|issued|generated|made|credited) (?:in error|by mistake|wrongly)|to your account (?:in error|by mistake|wrongly)|in error|an? erroneous|test (?:e-?mail|mail|message|alert|transaction|payment)|provisional|will be (?:credited|received|processed|transferred|reversed|refunded|returned|cancelled|released|settled))\\b|(?:${negated})\\b)|^\\W*(?:the |this |your )?(?:amount|money|payment|credit|transfer|transaction|it) (?:will|shall) be (?:credited|received|processed|transferred|released|settled)\\b|^\\W*(?:but|however)\\b[^.]{0,40}?\\b(?:${negated})\\b`,
  'i',
);

/** "We have reversed this credit", "A chargeback has been raised for this transaction": the payment is the object. */
const doneToThis = new RegExp(
  `\\b(?:have|has|had)\\b[^.]{0,20}?\\b(?:reversed|recalled|refunded|cancell?ed|withdrawn|recovered|debited|returned|disputed|rejected|declined|frozen) ${thisMoney}\\b|\\b(?:chargeback|dispute|lien|hold|freeze)\\b[^.]{0,40}?\\b(?:raised|marked|received|placed|filed)\\b[^.]{0,30}?\\b${thisMoney}\\b|\\b(?:raised|filed|marked|placed) (?:an? )?(?:chargeback|dispute|lien|hold|complaint) (?:on|against|for) ${thisMoney}\\b`,
  'i',
);

/** No money came, not to this customer, or not before somebody agrees. */
const notYours = new RegExp(
  `^\\W*(?:but |however,? )?no ${money} (?:has|have|had|was|were|is)\\b[^.]{0,20}?\\b(?:credited|received|deposited|transferred)\\b|^\\W*(?:this|the above) ${money} (?:belongs to|was meant for|is meant for)\\b|\\b(?:await|wait)ing (?:for )?(?:the )?(?:payer|sender|remitter|approval|confirmation)\\b|\\b(?:payer|sender|remitter) has not\\b|^\\W*(?:please |kindly )?(?:approve|accept|authori[sz]e|confirm)\\b[^.]{0,40}\\bto (?:receive|get|claim) (?:it|this|the)\\b|\\bclaim (?:this|the) ${money}\\b|^\\W*(?:the )?${money} not (?:credited|received|deposited|settled)\\b|\\bcould not credit\\b|^\\W*(?:the )?money will (?:reach|arrive)\\b|^\\W*you will (?:get|receive) (?:the|this) ${money}\\b|\\bdo not (?:act|rely) on this\\b|^\\W*this (?:is an?|was an?) mandate\\b|^\\W*this mandate\\b`,
  'i',
);

/** "This is a test", "for demonstration only". */
const notReal =
  /^\W*(?:this|it) (?:is|was) (?:only |just |merely )?(?:an? )?(?:demo(?:nstration)?|sample|test|simulation|dummy|mock|specimen|drill|erroneous|wrong)\b|^\W*for (?:demonstration|demo|testing|training|illustration)\b/i;

/** Only this mail: "kindly ignore calls that ask for your OTP" is advice. */
const takenBack =
  /\b(?:please|kindly|pls)\b[^.]{0,20}?\b(?:ignore|disregard)(?: (?:this|it|(?:the|our) (?:above|said|same|earlier|previous))\b[^.]{0,30}|\W*$)|\btreat this (?:e-?mail|mail|message|alert|credit) as (?:cancelled|withdrawn|null|void)\b/i;

const statements = [ofThis, doneToThis, notYours, notReal, takenBack];

/** Another sum takes the place of the one that was told. */
const correction =
  /\b(?:correct|right|revised) amount (?:is|was|should)\b|^\W*(?:correction|corrigendum|erratum)\b|\b(?:read|treat) (?:the |this )?amount as\b|\bamount (?:should|must|may) be read\b/i;

/** A sentence of its own: "Pending.", "Transaction cancelled.", "On hold.", "Returned to remitter." */
const lonely = new RegExp(
  `^\\W*(?:(?:payment|transaction|txn|transfer|credit|amount|settlement|status|result|outcome|remarks?|now|still|currently|since|is|was)\\W+){0,3}(?:${undone}|processing|reversal|refund|chargeback|null and void|not (?:successful|credited|received|completed|processed|confirmed|settled))(?: (?:back )?(?:to|by) (?:the )?(?:payer|sender|remitter|customer|bank))?[\\s.!)*]*$`,
  'i',
);

/** The wording goes on with it: " - pending", " (cancelled)", " on hold."; a capital would begin a heading of the footer. */
const loneAtOnce = new RegExp(
  `^(?:\\s*[-–(:*[,/;]\\s*|\\s+(?:is |was |but |now |still )*(?=${undone}\\s*(?:$|[.!;,)*–-])))(${undone})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** ", since reversed", ", which failed", " will be credited by …": a small letter goes on with the bank's sentence. */
const inOneBreath = new RegExp(
  `^(?:\\s*[,;(–-]\\s*|\\s+)(?=[a-z])(?!www|http)(?:[a-z-]+,? ){0,5}?((?:${undone}|debited|(?:will|shall|to) be (?:credited|received|processed|settled|released)|(?:${negated}))(?![\\p{L}\\p{N}]))`,
  'u',
);

/** " FAILED": in capitals whatever follows. */
const loneInCapitals =
  /^\s+(?:\/ )?(PENDING|ON HOLD|CANCELL?ED|FAILED|DECLINED|REJECTED|REVERSED|REFUNDED|RETURNED|EXPIRED|SCHEDULED)(?![\p{L}\p{N}])/u;
