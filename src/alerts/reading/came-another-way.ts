/** Words of a bank's narration that name how money came. Where UPI or IMPS is the first of them, it may pay. */
const channels = new Set(
  (
    'UPI IMPS NEFT RTGS ACH ACHCR NACH CEMTEX ATM ECS CASH CHQ CHEQUE CLG CLEARING INT INTEREST SALARY PENSION ' +
    'DIVIDEND TDS FD SWIFT REV REVERSE REVERSED REVERSAL REFUND RETURN RET UPIREV UPIREVERSAL UPIRET UPIRETURN ' +
    'UPIREFUND UPIRFND'
  ).split(' '),
);
const paying = new Set(['UPI', 'IMPS']);

/** Behind UPI or IMPS these say that money comes back; the short ones only before a number ("UPI/DR SHARMA" is a doctor). */
const returns = new Set(
  'REV REVERSE REVERSED REVERSAL RVSL REVSL REFUND RFND RETURN RET RETD REJECT REJECTED CHARGEBACK FAILED'.split(
    ' ',
  ),
);
const returnsBeforeNumber = new Set('DR RTN REJ RJT RFD RRC CB ADJ'.split(' '));

/**
 * Whether a narration says that the money came by another way than UPI or IMPS. Its first word that names a channel is
 * the bank's; what comes later may be the payer's remark. A narration that names none says nothing against UPI.
 */
export function cameAnotherWay(narration: string): boolean {
  const words = narration.toUpperCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  const at = words.findIndex(
    (word, i) => channels.has(word) || (word === 'DEBIT' && words[i + 1] === 'CARD'),
  );
  if (at < 0) return false;
  const [channel, next = '', afterNext = ''] = words.slice(at);
  if (!paying.has(channel!)) return true;
  return returns.has(next) || (returnsBeforeNumber.has(next) && /^\p{N}/u.test(afterNext));
}
