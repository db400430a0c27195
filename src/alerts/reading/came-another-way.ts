/** Words of a bank's narration that name how money came. Where UPI or IMPS is the first of them, it may pay. */
const channels = new Set(
  (
    'UPI IMPS NEFT RTGS ACH ACHCR NACH CEMTEX ATM ECS CASH CHQ CHEQUE CLG CLEARING INT INTEREST SALARY PENSION ' +
    'DIVIDEND TDS FD SWIFT REV REVERSE REVERSED REVERSAL REFUND RETURN RET UPIREV UPIREVERSAL UPIRET UPIRETURN ' +
    'UPIREFUND UPIRFND'
  ).split(' '),
);
const paying = new Set(['UPI', 'IMPS']);
/** What a bank writes in front of UPI or IMPS. Behind any other word those two may be a payer's or a shop's. */
const leading = new Set(
  'BY TRANSFER TRF TFR FROM ONL ONLINE CR CREDIT DEP DEPOSIT INB MOB MMT BHIM YONO'.split(' '),
);

/** Behind UPI or IMPS these say that money comes back; the short ones only before a number ("UPI/DR SHARMA" is a doctor). */
const returns = new Set(
  'REV REVERSE REVERSED REVERSAL RVSL REVSL REFUND RFND RETURN RET RETD RETN REJECT REJECTED CHARGEBACK FAILED'.split(
    ' ',
  ),
);
const returnsBeforeNumber = new Set('DR RTN REJ RJT RFD RRC CB ADJ'.split(' '));

/**
 * Whether a narration says that the money came by another way than UPI or IMPS. Its first word that names a channel is
 * the bank's; what comes later may be the payer's remark. Null where it does not begin with UPI or IMPS, nor names
 * another way.
 */
export function cameAnotherWay(narration: string): boolean | null {
  const words = narration.toUpperCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  const at = words.findIndex(
    (word, i) => channels.has(word) || (word === 'DEBIT' && words[i + 1] === 'CARD'),
  );
  if (at < 0) return null;
  const [channel, next = '', afterNext = ''] = words.slice(at);
  if (!paying.has(channel!)) return true;
  if (returns.has(next) || (returnsBeforeNumber.has(next) && /^\p{N}/u.test(afterNext))) return true;
  return words.slice(0, at).every(word => leading.has(word)) ? false : null;
}
