/** What a mail says. */
export const wording = {
  texts_differ: 'The plain and the HTML text of the mail do not say the same.',
  text_too_long: 'The text is longer than any alert of a bank.',
  many_splits: "The text can be taken apart in more than one way: a payer's text holds words of the bank.",
  row_odd: 'The row "{row}" of this alert is unknown, missing, there twice or says something else.',
  two_wordings: 'The text holds more than one credit wording.',
  no_amount: 'The amount in the mail is not a sum of rupees.',
  unknown_wording: 'The wording is not known for this bank.',
  other_channel: 'The money came by another channel than UPI or IMPS.',
  other_subject: 'The wording is known, but it came under another subject.',
  subject_amount_differs: 'The subject and the text name different amounts.',
  subject_account_differs: 'The subject and the text name different accounts.',
  odd_payer_name: "The payer's name holds an amount or a number like a reference.",
  quoted: '{sentence}',
  words_repeated: 'The words that name a fact of the payment stand in the text more than once.',
  unknown_line: 'A line that is not known for this bank stands before the statement of the credit.',
  payers_place: "The statement of the credit stands where a payer's text could stand.",
} as const;
